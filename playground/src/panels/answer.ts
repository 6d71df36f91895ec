// The first view: the choreography of a network, the network of a choreography, or why there isn't one, with the failing run
// in words, in the picture and in the text.

import { counted, html, sentence } from '../dom';
import type { Failure, Place, Step } from '../engine/types';
import type { Page, Panel } from '../model';
import { pictureBox } from '../picture';
import type { Mark } from '../source';
import { copyText } from '../copy';

export function answerPanel(page: Page, host: HTMLElement): Panel {
  let current = true;

  function pre(text: string, label: string): HTMLElement {
    return html('pre', { class: 'text', tabindex: '0', role: 'region', 'aria-label': label }, text);
  }

  function result(text: string, what: string): HTMLElement[] {
    const copy = html('button', { type: 'button', class: 'quiet', click: () => void copyText(text, what) }, 'Copy');
    return [html('div', { class: 'tool' }, html('h2', {}, what), html('span', { class: 'gap' }), copy), pre(text, what)];
  }

  function whatIsSaid(said: string): HTMLElement | false {
    return said.trim() !== '' && html('details', {}, html('summary', {}, 'As the command says it'), pre(said, 'What the command says'));
  }

  function place(place: Place | null, text: string): Node {
    if (!place || place.file !== 0) return document.createTextNode(text);
    const show = () => page.source.reveal(place.from, place.to);
    return html('button', { type: 'button', class: 'link', click: show, title: `line ${place.line}` }, text);
  }

  function stepList(steps: Step[], first: number, picture: () => SVGSVGElement | null, diagram: number): HTMLElement {
    const items = steps.map((step, index) => {
      const light = (on: boolean) => {
        const group = picture()?.querySelector(`[data-diagram="${diagram}"][data-step="${first + index}"]`);
        group?.classList.toggle('is-now', on);
        page.source.showMarks(on ? step.places.flatMap(({ process, place }) => markOf(place, 'moved', process)) : failingMarks(page));
      };
      const at = step.places[0]?.place ?? null;
      const item = html('li', {}, place(at, step.text));
      for (const event of ['focusin', 'mouseenter']) item.addEventListener(event, () => light(true));
      for (const event of ['focusout', 'mouseleave']) item.addEventListener(event, () => light(false));
      return item;
    });
    return html('ol', { class: 'steps mono', start: first + 1 }, ...items);
  }

  function failure(one: Failure, index: number, alone: boolean, picture: () => SVGSVGElement | null): HTMLElement {
    const stuck = [...one.stuck, ...one.waitingServices].map((who) => {
      const calm = one.waitingServices.includes(who);
      // Who it is stands before it already.
      const name = `\`${who.process}\` `;
      const why = who.why.startsWith(name) ? who.why.slice(name.length) : who.why;
      return html('li', { 'data-calm': calm }, place(who.place, who.process), ' ', ...sentence(why));
    });
    const queues = one.queues.map((queue) => `${queue.from} → ${queue.to}: ${queue.messages.join(', ')}`);
    const follow = () => page.follow(one);
    return html(
      'section',
      { class: 'failure', 'aria-label': one.summary },
      // A single one is said above all views.
      html('h2', { class: alone && 'unseen' }, ...sentence(one.summary)),
      stuck.length > 0 && html('ul', { class: 'stuck-list' }, ...stuck),
      queues.length > 0 && html('div', {}, html('h3', {}, 'In the queues'), html('ul', {}, ...queues.map((queue) => html('li', {}, queue)))),
      html('h3', {}, one.run.length ? `The run: ${counted(one.run.length, 'step')}` : 'At the start, before anything has happened'),
      one.run.length > 0 && stepList(one.run, 0, picture, index),
      one.cycle.length > 0 && html('h3', {}, 'And then again and again'),
      one.cycle.length > 0 && stepList(one.cycle, one.run.length, picture, index),
      one.runChoices != null &&
        html('div', { class: 'buttons' }, html('button', { type: 'button', class: 'primary', click: follow }, 'Step through this run')),
      one.hints.length > 0 && html('div', {}, html('h3', {}, 'What would help'), html('ul', {}, ...one.hints.map((hint) => html('li', {}, ...sentence(hint))))),
    );
  }

  function render(): void {
    const known = page.known;
    if (!known) {
      host.replaceChildren(html('p', { class: 'soft' }, page.texts[page.shown].text.trim() ? '' : 'Type a network or a choreography, choose an example, or drop a file.'));
      return;
    }
    const { extract, project, analyse } = known;
    if (extract?.choreography != null) {
      const capacities = extract.capacities.map((one) => `${counted(one.messages, 'message')} from ${one.from} to ${one.to}`);
      host.replaceChildren(
        ...result(extract.output, 'Choreography'),
        ...(capacities.length ? [html('p', { class: 'soft small' }, `Queues get as long as this: ${capacities.join(', ')}.`)] : []),
        ...[whatIsSaid(extract.said)].filter((part) => part !== false),
      );
    } else if (extract && extract.failures.length) {
      let picture: SVGSVGElement | null = null;
      const parts: HTMLElement[] = extract.failures.map((one, index) => failure(one, index, extract.failures.length === 1, () => picture));
      const drawing = extract.drawings[0]?.text;
      if (drawing) {
        const made = pictureBox(drawing, 'The failing run as a sequence diagram');
        picture = made.picture;
        made.box.classList.add('inset');
        parts.push(html('div', { class: 'tool' }, html('h3', {}, 'The same as a picture'), html('span', { class: 'gap' }), made.tools), made.box);
      }
      const said = whatIsSaid(extract.said);
      host.replaceChildren(...parts, ...(said ? [said] : []));
      page.source.showMarks(failingMarks(page));
    } else if (project?.text != null) {
      const said = whatIsSaid(project.said);
      host.replaceChildren(...result(project.output, 'Network: what each process does'), ...(said ? [said] : []));
    } else {
      const said = project?.said ?? extract?.said ?? analyse.said;
      const why =
        extract?.verdict === 'undecided'
          ? 'The search gave up: it came to the limit. A higher limit may help (Options).'
          : 'There is no answer until these are mended:';
      host.replaceChildren(html('h2', {}, project && analyse.usable ? 'There is no network for this choreography' : why), pre(said, 'What the command says'));
    }
  }

  return {
    forget() {
      current = false;
    },
    show() {
      if (!current || !host.hasChildNodes()) render();
      else if (page.known?.extract?.failures.length) page.source.showMarks(failingMarks(page));
      current = true;
    },
    hide() {
      page.source.showMarks([]);
    },
  };
}

export function markOf(place: Place | null, kind: Mark['kind'], title: string): Mark[] {
  return place && place.file === 0 ? [{ from: place.from, to: place.to, kind, title }] : [];
}

/** The failing run in the text: what happens on the way, and where it ends. */
function failingMarks(page: Page): Mark[] {
  const failures = page.known?.extract?.failures ?? [];
  return failures.flatMap((failure) => [
    ...[...failure.run, ...failure.cycle].flatMap((step) => step.places.flatMap(({ process, place }) => markOf(place, 'path', `${process}: ${step.text}`))),
    ...failure.stuck.flatMap((who) => markOf(who.place, 'stuck', `${who.process}: ${who.why}`)),
  ]);
}
