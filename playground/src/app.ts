// The page: one text is shown and edited, the engine is asked about it, and the views show the answer. Here is only what
// connects the parts.

import { announce } from './announce';
import { copyText, say } from './copy';
import { byId, counted, sentence } from './dom';
import { ask, loadRest, measure, onBusy, stop, Stopped, warm } from './engine/client';
import type { Answers, Diagnostic, Request } from './engine/types';
import { all as allExamples, exampleNamed, listExamples, showChosen } from './examples';
import { startExports } from './exports';
import { startImports } from './imports';
import { fragmentOf, LONG_LINK, LONGEST_LINK, readFragment } from './link';
import { optionFields, type Known, type Page, type Panel, type Text } from './model';
import { readOptions, showOptions, unusual } from './options';
import { answerPanel } from './panels/answer';
import { comparePanel } from './panels/compare';
import { picturePanel } from './panels/pictures';
import { runPanel } from './panels/run';
import { closeOnEnter, popup } from './popup';
import { showProblems } from './problems';
import { Source } from './source';
import { makeTabs } from './tabs';
import { startTheme } from './theme';

const FIRST = 'buyer-seller.net';
/** How long after the last change the engine is asked, in milliseconds. */
const PAUSE = 250;
const LONG_PAUSE = 1_200;
const LONG_TEXT = 200_000;

const texts: [Text, Text] = [
  { name: 'untitled.net', text: '' },
  { name: 'second text', text: '' },
];
let shown: 0 | 1 = 0;
let known: Known | null = null;
/** How often what is asked has changed: the text, its name, or an option. An answer to an earlier question is not shown. */
let revision = 0;
/** Whether there has been an answer. */
let answered = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const source = new Source(() => {
  const text = texts[shown];
  outdate();
  clearTimeout(timer);
  const long = text.text.length > LONG_TEXT;
  timer = setTimeout(() => {
    text.text = source.text;
    if (text.example && text.text !== text.example.text) text.example = undefined;
    void refresh();
  }, long ? LONG_PAUSE : PAUSE);
});

const page: Page = {
  texts,
  get shown() {
    return shown;
  },
  get known() {
    return known;
  },
  get options() {
    return readOptions();
  },
  source,
  request<D extends keyof Answers>(what: D, more: Record<string, unknown> = {}): Request<D> {
    const { name, text } = texts[shown];
    return { do: what, files: [{ name, text }], ...optionFields(readOptions()), ...more };
  },
  view: (id, focus) => views.choose(id, focus),
  follow(failure) {
    views.choose('view-run', true);
    run.follow(failure);
  },
  openText,
  showText,
};

const run = runPanel(page, byId('panel-run'));
const panels: Record<string, Panel> = {
  'view-answer': answerPanel(page, byId('panel-answer')),
  'view-sequence': picturePanel(page, byId('panel-sequence'), 'sequence'),
  'view-seg': picturePanel(page, byId('panel-seg'), 'seg'),
  'view-automata': picturePanel(page, byId('panel-automata'), 'automata'),
  'view-communications': picturePanel(page, byId('panel-communications'), 'communications'),
  'view-run': run,
  'view-compare': comparePanel(page, byId('panel-compare')),
};

let looking: Panel | undefined = panels['view-answer'];
const views = makeTabs(byId('views'), (id) => {
  const panel = panels[id];
  if (panel !== looking) looking?.hide?.();
  looking = panel;
  panel?.show();
});
const textTabs = makeTabs(byId('texts'), (id) => {
  const index = id === 'text-1' ? 1 : 0;
  if (index !== shown) switchTo(index);
});

function showText(index: 0 | 1): void {
  textTabs.choose(`text-${index}`, true);
}

function switchTo(index: 0 | 1): void {
  keep();
  shown = index;
  source.open(index, texts[index].text);
  showNames();
  void refresh();
}

/** Takes over what was typed just now. */
function keep(): void {
  if (timer) texts[shown].text = source.text;
}

/** There is something else to answer now. The page says at once, and nowhere else, that it has no answer to it yet. */
function outdate(): number {
  revision += 1;
  known = null;
  Object.assign(byId('results').dataset, { revision, state: 'waiting' });
  return revision;
}

function openText(text: Text, index: 0 | 1 = shown): void {
  keep();
  texts[index] = text;
  shown = index;
  source.open(index, text.text);
  textTabs.choose(`text-${index}`);
  showNames();
  void refresh();
}

function showNames(): void {
  texts.forEach((text, index) => (byId(`text-${index}`).textContent = text.name.replace(/^.*\//, '')));
  byId<HTMLInputElement>('name').value = texts[shown].name;
  showChosen(texts[shown].example);
}

function verdict(kind: string, word: string, summary: string): void {
  const bar = byId('verdict');
  const badge = bar.querySelector<HTMLElement>('.badge')!;
  badge.dataset['kind'] = kind;
  badge.textContent = word;
  byId('summary').replaceChildren(...sentence(summary));
}

function applyFix(diagnostic: Diagnostic, fix: number): void {
  const { title, edits } = diagnostic.fixes[fix]!;
  source.change(edits.filter((edit) => edit.file === 0));
  say(`Done: ${title}`);
}

function showMessages(answer: Answers['analyse'] | Answers['extract'] | Answers['project']): void {
  const onPlace = (diagnostic: Diagnostic) => {
    const place = diagnostic.primary.place;
    if (place) source.reveal(place.from, place.to);
  };
  source.showDiagnostics(answer.diagnostics, applyFix);
  const failures = 'failures' in answer ? answer.failures : [];
  showProblems(answer, new Set(failures.flatMap(({ diagnostic }) => diagnostic ?? [])), onPlace, applyFix);
}

/** Asks about the text anew. */
async function refresh(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const mine = outdate();
  stop('answer');
  stop('view');
  for (const panel of Object.values(panels)) panel.forget();
  showChosen(texts[shown].example);
  byId('again').hidden = true;
  if (!texts[shown].text.trim()) {
    verdict('none', 'ready', '');
    source.showDiagnostics([], applyFix);
    showProblems({ diagnostics: [], omitted: 0, remarks: [] }, new Set(), () => {}, () => {});
    byId('amend').hidden = true;
    return finish();
  }
  try {
    const analyse = await ask('answer', page.request('analyse'));
    if (mine !== revision) return;
    showMessages(analyse);
    byId('amend').hidden = !(analyse.usable && analyse.kind === 'choreography');
    const next: Known = { analyse };
    // With mistakes, too: what the command says of them is its own answer.
    if (analyse.kind === 'network') {
      const drawings = [{ of: 'sequence', format: 'svg', steps: true }];
      next.extract = await ask('answer', page.request('extract', { drawings }));
    } else if (analyse.kind === 'choreography') {
      next.project = await ask('answer', page.request('project'));
    }
    if (mine !== revision) return;
    known = next;
    showMessages(next.extract ?? next.project ?? analyse);
    sayVerdict(next);
  } catch (error) {
    if (mine !== revision) return;
    byId('again').hidden = false;
    if (error instanceof Stopped) verdict('careful', 'stopped', 'before there was an answer');
    else verdict('bad', 'failed', failureOf(error));
    announce(byId('verdict').textContent ?? '');
  }
  finish();
}

function failureOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /unreachable|memory|out of bounds|allocat/i.test(text)
    ? 'there was not enough memory for this; a lower limit of states may help (Options)'
    : text;
}

function finish(): void {
  byId('results').dataset['state'] = 'done';
  const { extract, project } = known ?? {};
  const found = extract?.choreography != null ? 'Choreography' : project?.text != null ? 'Network' : null;
  byId('view-answer').textContent = found ?? (known ? 'Explanation' : 'Answer');
  looking?.show();
  // Nobody waits for it now; whoever needs it later says so if it is missing.
  if (!answered) loadRest().catch(() => {});
  answered = true;
}

function sayVerdict({ analyse, extract, project }: Known): void {
  if (extract?.verdict) {
    const { statistics, failures } = extract;
    const kind = extract.verdict === 'extracted' ? 'good' : extract.verdict === 'undecided' ? 'careful' : 'bad';
    const numbers = statistics ? `${counted(statistics.processes, 'process')}, ${counted(statistics.nodes, 'node')}` : '';
    const limit = `nothing found within ${readOptions().max_states.toLocaleString('en')} states`;
    const summary = failures[0]?.summary ?? (extract.verdict === 'undecided' ? limit : numbers);
    verdict(kind, extract.verdict, summary);
  } else if (project && analyse.usable) {
    const good = project.text != null;
    const bad = project.exit === 3 ? 'undecided' : 'no projection';
    verdict(good ? 'good' : 'bad', good ? 'projected' : bad, good ? '' : (project.diagnostics.find((one) => one.severity === 'error')?.message ?? ''));
  } else {
    const errors = analyse.diagnostics.filter((one) => one.severity === 'error').length;
    verdict('bad', 'not read', errors ? counted(errors + analyse.omitted, 'mistake') : (analyse.remarks[0] ?? ''));
  }
  announce(byId('verdict').textContent ?? '');
}

async function share(): Promise<void> {
  keep();
  const kept = texts[1].text ? texts : [texts[0]];
  const options = unusual(readOptions());
  const tab = views.chosen === 'view-answer' ? undefined : views.chosen;
  const fragment = await fragmentOf({
    texts: kept.map(({ name, text }) => ({ name, text })),
    ...(options && { options }),
    ...(tab && { tab }),
  });
  if (fragment.length > LONGEST_LINK) return say('This is too long for a link: export the text instead');
  history.replaceState(null, '', fragment);
  const long = fragment.length > LONG_LINK ? `Link (${counted(Math.ceil(fragment.length / 1000), 'kilobyte')}, some programs cut that)` : 'Link';
  await copyText(location.href, long);
}

/** What the address holds, or the first example. */
async function begin(): Promise<void> {
  try {
    const shared = await readFragment(location.hash);
    if (shared) {
      showOptions(shared.options ?? {});
      const [one, other] = shared.texts.map(({ name, text }) => {
        const example = exampleNamed(name);
        return { name, text, example: example?.text === text ? example : undefined };
      });
      if (other) texts[1] = other;
      openText(one ?? { name: 'untitled.net', text: '' }, 0);
      if (shared.tab) views.choose(shared.tab);
      return;
    }
  } catch (error) {
    say(`The link is damaged: ${error instanceof Error ? error.message : error}`);
  }
  const example = exampleNamed(FIRST) ?? allExamples[0];
  if (example) openText({ name: example.file, text: example.text, example }, 0);
}

async function rewrite(what: 'fmt' | 'amend', done: string): Promise<void> {
  keep();
  const before = texts[shown].text;
  const answer = await ask('rewrite', page.request(what));
  if (source.text !== before) return;
  if (answer.text === null) return say(answer.diagnostics[0]?.message ?? 'The text has mistakes');
  if (answer.text === before) return say('Nothing to change');
  source.change([{ from: 0, to: before.length, text: answer.text }]);
  say(done);
}

function start(): void {
  startTheme();
  warm();
  listExamples((example) => openText({ name: example.file, text: example.text, example }));
  startImports((name, text) => openText({ name, text }));
  startExports(page);
  const settings = popup('settings', 'settings-panel');
  showOptions({});
  byId('settings-panel').addEventListener('change', () => {
    keep();
    void refresh();
  });
  closeOnEnter('settings-panel', settings);
  byId('share').addEventListener('click', () => void share());
  byId('stop').addEventListener('click', () => stop());
  byId('again').addEventListener('click', () => void refresh());
  const report = (error: unknown) => error instanceof Stopped || say(String(error));
  byId('format').addEventListener('click', () => void rewrite('fmt', 'Formatted').catch(report));
  byId('amend').addEventListener('click', () => void rewrite('amend', 'Amended').catch(report));
  const renaming = popup('rename', 'rename-panel');
  closeOnEnter('name', renaming);
  byId('name').addEventListener('change', () => {
    const name = byId<HTMLInputElement>('name').value.trim();
    if (name) texts[shown].name = name;
    keep();
    showNames();
    void refresh();
  });
  let ticking: ReturnType<typeof setInterval> | undefined;
  onBusy((busy) => {
    clearInterval(ticking);
    byId('stop').hidden = true;
    if (!busy) return;
    const since = performance.now();
    ticking = setInterval(() => {
      const seconds = Math.floor((performance.now() - since) / 1000);
      byId('stop').hidden = false;
      if (busy.what === 'answer') verdict('busy', 'working', seconds ? `for ${counted(seconds, 'second')}` : '');
    }, 300);
  });
  addEventListener('hashchange', () => void begin());
  void begin().then(() => source.enhance());
}

// For measuring from outside.
Object.assign(window, { laban: { ask: (request: Request) => ask('outside', request), measure, examples: allExamples } });
start();
