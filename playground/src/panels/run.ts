// A run, step by step, forwards and back: where everybody is lights up in the text, the message moves on the diagram, and the
// queues show what lies in them. The run is a list of choices; the engine replays it for each step.

import { announce } from '../announce';
import { html, icon, prefersStillness, sentence } from '../dom';
import { ask, Stopped } from '../engine/client';
import type { Failure, RunAnswer } from '../engine/types';
import type { Page, Panel } from '../model';
import { Stage } from './stage';
import { markOf } from './answer';

const RANDOM_STEPS = 40;
const MOST_STEPS = 2_000;
const PLAY_EVERY = 1_100;

export interface RunPanel extends Panel {
  /** Goes to the end of the run of a failure. */
  follow(failure: Failure): void;
}

export function runPanel(page: Page, host: HTMLElement): RunPanel {
  let choices: number[] = [];
  let at = 0;
  let answer: RunAnswer | null = null;
  let asked = 0;
  let seed = 1;
  let visible = false;
  /** The failure whose run this is, as long as nobody goes another way. */
  let followed: Failure | null = null;
  let playing: ReturnType<typeof setInterval> | undefined;
  let stuck = new Set<string>();
  const stage = new Stage();

  const button = (name: string, sign: Parameters<typeof icon>[0], click: () => void) =>
    html('button', { type: 'button', class: 'icon', 'aria-label': name, title: name, click }, icon(sign));
  const first = button('To the start', 'first', () => void go(0));
  const back = button('One step back', 'back', () => void go(at - 1));
  const forward = button('One step forward', 'forward', () => void go(at + 1));
  const last = button('To the end', 'last', () => void go(choices.length));
  const play = html('button', { type: 'button', click: () => (playing ? pause() : start()) }, 'Play');
  const slider = html('input', {
    type: 'range',
    min: '0',
    'aria-label': 'Step of the run',
    input: () => void go(Number(slider.value)),
  });
  const counter = html('span', { class: 'counter', 'aria-hidden': 'true' });
  const random = html('button', { type: 'button', click: () => void wander() }, 'Random run');
  const reset = html('button', { type: 'button', class: 'quiet', click: () => begin(null, 0) }, 'New run');
  const failing = html('button', { type: 'button', class: 'quiet', hidden: true }, 'Failing run');
  const standing = html('p', { class: 'small' });
  const picture = html('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The run as a sequence diagram' }, stage.element);
  const next = html('div', { class: 'next' });
  const states = html('tbody');
  const queues = html('div', {});
  const queuesPart = html('div', { hidden: true }, html('h3', {}, 'Queues'), queues);
  const trouble = html('p', { class: 'soft', hidden: true });
  const body = html(
    'div',
    { class: 'run-grid' },
    picture,
    html(
      'div',
      { class: 'run-side' },
      html('div', {}, html('h3', { id: 'next-title' }, 'What can happen next'), next),
      queuesPart,
      html('div', {}, html('h3', {}, 'Where everybody is'), html('table', { class: 'states' }, states)),
    ),
  );
  const controls = html(
    'div',
    { class: 'run-controls', role: 'group', 'aria-label': 'Steps' },
    first, back, forward, last, counter, play, random, reset, failing, slider,
  );
  host.replaceChildren(html('h2', { class: 'unseen' }, 'A run'), controls, standing, trouble, body);
  next.setAttribute('aria-labelledby', 'next-title');
  next.setAttribute('role', 'group');

  function pause(): void {
    clearInterval(playing);
    playing = undefined;
    play.textContent = 'Play';
  }

  function start(): void {
    if (at >= choices.length) void go(0);
    play.textContent = 'Pause';
    playing = setInterval(() => {
      if (at >= choices.length) pause();
      else void go(at + 1);
    }, PLAY_EVERY);
  }

  async function load(more: Record<string, unknown>): Promise<boolean> {
    asked += 1;
    const mine = asked;
    try {
      const drawings = [{ of: 'sequence', format: 'svg', steps: true }];
      const got = await ask('view', page.request('run', { choices, at, drawings, ...more }));
      if (mine !== asked) return false;
      answer = got;
      choices = got.choices;
      at = got.at;
      return true;
    } catch (error) {
      if (mine === asked) {
        trouble.hidden = false;
        trouble.textContent = error instanceof Stopped ? 'Stopped.' : String(error);
      }
      return false;
    }
  }

  /** Shows the state after so many steps. */
  async function go(to: number): Promise<void> {
    const before = at;
    at = Math.min(Math.max(0, to), choices.length);
    slider.value = String(at);
    if (!(await load({}))) return;
    render(before);
  }

  /** Takes a step and forgets what came later. */
  async function take(choice: number): Promise<void> {
    pause();
    const before = at;
    choices = [...choices.slice(0, at), choice];
    followed = null;
    at += 1;
    if (!(await load({}))) return;
    render(before);
    (next.querySelector('button') ?? back).focus();
  }

  async function wander(): Promise<void> {
    pause();
    choices = choices.slice(0, at);
    followed = null;
    if (choices.length >= MOST_STEPS) return;
    seed += 1;
    const before = at;
    // To the end of it, wherever that is.
    if (!(await load({ random: RANDOM_STEPS, seed, at: undefined }))) return;
    render(before);
  }

  /** Starts again: with nothing, or with the run of a failure. */
  function begin(failure: Failure | null, position: number): void {
    pause();
    followed = failure;
    choices = [...(failure?.runChoices ?? []), ...(failure?.cycleChoices ?? [])];
    at = Math.min(position, choices.length);
    void load({}).then((done) => done && render(at));
  }

  function render(before: number): void {
    if (!answer) return;
    const usable = answer.processes.length > 0;
    body.hidden = controls.hidden = !usable;
    trouble.hidden = usable;
    if (!usable) {
      standing.textContent = '';
      trouble.textContent = answer.said || 'This cannot be run.';
      return;
    }
    const { steps, status, possible } = answer;
    slider.max = String(choices.length);
    slider.value = String(at);
    slider.disabled = choices.length === 0;
    const step = at > 0 ? steps[at - 1] : undefined;
    slider.setAttribute('aria-valuetext', step ? `step ${at} of ${choices.length}: ${step.text}` : `start, ${choices.length} steps`);
    counter.textContent = `${at} / ${choices.length}`;
    // A button that has the focus keeps it, so it is not disabled but does nothing.
    for (const one of [first, back]) one.setAttribute('aria-disabled', String(at === 0));
    for (const one of [forward, last]) one.setAttribute('aria-disabled', String(at === choices.length));
    // Where others go on, or it happens again and again, one moment of a run does not show that something is wrong.
    const failure = followed && at >= followed.runChoices!.length ? followed : null;
    const isBad = failure || answer.stuck || status === 'deadlock' || status === 'orphan';
    const kind = isBad ? 'bad' : status === 'stopped' ? 'good' : 'none';
    const calm = status === 'stopped' ? 'finished' : status;
    const word = status === 'running' ? (failure?.kind ?? (answer.stuck ? 'stuck' : calm)) : calm;
    const why = (failure ? [failure] : answer.failures).map((one) => one.summary).join(' ');
    stuck = new Set(failure?.kind === 'deadlock' ? failure.stuck.map((one) => one.process) : []);
    for (const one of answer.processes) if (one.stuck) stuck.add(one.process);
    const told = [step ? `After step ${at}: ${step.text}.` : 'At the start.', why, answer.again].filter(Boolean).join(' ');
    standing.replaceChildren(html('span', { class: 'badge', 'data-kind': kind }, word), ' ', ...sentence(told));
    announce(`${word}. ${told}`);

    const drawing = answer.drawings[0]?.text;
    stage.show(drawing ?? null, answer, before, prefersStillness());
    picture.hidden = !drawing;
    stage.scroll(picture);

    next.replaceChildren(
      ...possible.map((one) => {
        const race = one.race && html('span', { class: 'race' }, 'race');
        return html('button', { type: 'button', click: () => void take(one.choice) }, one.text, race);
      }),
    );
    if (!possible.length) next.append(html('p', { class: 'soft small' }, ...sentence(answer.standing)));
    const moved = new Set(step?.places.map(({ process }) => process));
    states.replaceChildren(
      ...answer.processes.map((process) => {
        const place = process.place;
        const show = () => place && page.source.reveal(place.from, place.to);
        const what = place
          ? html('button', { type: 'button', class: 'link', click: show, title: `line ${place.line}` }, process.next)
          : process.next;
        const state = stuck.has(process.process) && html('span', { class: 'stuck' }, ' (stuck)');
        const service = process.service && html('span', { class: 'soft' }, ' service');
        return html(
          'tr',
          { class: moved.has(process.process) && 'moved' },
          html('th', { scope: 'row' }, process.process, service),
          html('td', { class: 'mono' }, what, state),
        );
      }),
    );
    queuesPart.hidden = !answer.queues.length && !steps.some((one) => one.kind === 'put');
    queues.replaceChildren(
      ...answer.queues.map((queue) =>
        html(
          'div',
          { class: 'queue' },
          html('span', {}, `${queue.from} → ${queue.to}`),
          html('ol', { 'aria-label': `Queue from ${queue.from} to ${queue.to}, oldest first` }, ...queue.messages.map((message) => html('li', {}, message))),
        ),
      ),
    );
    if (!answer.queues.length) queues.append(html('p', { class: 'soft small' }, 'All are empty.'));
    light(moved);
  }

  /** The positions in the text. */
  function light(moved: Set<string>): void {
    if (!answer || !visible) return;
    const marks = answer.processes.flatMap((one) => {
      const kind = stuck.has(one.process) ? 'stuck' : moved.has(one.process) ? 'moved' : 'here';
      return markOf(one.place, kind, `${one.process}: ${one.next}`);
    });
    page.source.showMarks(marks);
    const place = answer.processes.find((one) => moved.has(one.process))?.place;
    if (place && place.file === 0) page.source.reveal(place.from, place.to, false);
  }

  return {
    follow: (failure) => begin(failure, Infinity),
    forget() {
      pause();
      asked += 1;
      answer = null;
      followed = null;
      choices = [];
      at = 0;
      // A run of the text before is no run of this one.
      for (const part of [standing, counter, next]) part.replaceChildren();
    },
    show() {
      visible = true;
      const failure = page.known?.extract?.failures.find((one) => one.runChoices);
      failing.hidden = !failure;
      failing.onclick = () => begin(failure!, 0);
      if (answer) render(at);
      else if (page.known?.analyse.usable) void load({}).then((done) => done && render(at));
      else if (page.known) {
        body.hidden = controls.hidden = true;
        trouble.hidden = false;
        trouble.textContent = 'There is nothing to run as long as the text has mistakes.';
      }
    },
    hide() {
      visible = false;
      pause();
      page.source.showMarks([]);
    },
  };
}
