// Everything that can be written: the text, what was found, the languages of other tools, and all drawings.

import { byId, html } from './dom';
import { ask, Stopped } from './engine/client';
import type { Target } from './engine/types';
import type { Page } from './model';
import { asPng } from './picture';
import { popup } from './popup';
import { save, say } from './copy';

const DRAWINGS: Array<[of: string, title: string, formats: string[]]> = [
  ['sequence', 'Sequence diagram', ['svg', 'png', 'mermaid', 'markdown', 'plantuml']],
  ['protocol', 'Choreography as a graph', ['svg', 'png', 'mermaid', 'dot']],
  ['seg', 'Execution graph', ['svg', 'png', 'mermaid', 'dot']],
  ['automata', 'Automata', ['svg', 'png', 'mermaid', 'dot']],
  ['communications', 'Who talks to whom', ['svg', 'png', 'mermaid', 'dot']],
];
const TITLES: Record<string, string> = { mermaid: 'Mermaid', markdown: 'Markdown', plantuml: 'PlantUML' };
const ENDINGS: Record<string, string> = { mermaid: 'mmd', markdown: 'md', plantuml: 'puml' };

export function startExports(page: Page): void {
  const panel = byId('export-panel');
  let targets: Target[] = [];

  const stem = () => page.texts[page.shown].name.replace(/^.*\//, '').replace(/\.\w+$/, '') || 'network';
  const button = (label: string, title: string, work: () => Promise<void>) => {
    const click = () => {
      menu.close();
      work().catch((error) => error instanceof Stopped || say(String(error.message ?? error)));
    };
    return html('button', { type: 'button', title, click }, label);
  };

  async function drawing(of: string, format: string): Promise<void> {
    const answer = await ask('view', page.request('draw', { of, format: format === 'png' ? 'svg' : format }));
    if (!answer.output) return say(answer.said.split('\n', 1)[0] || 'There is nothing to draw');
    const name = `${stem()}-${of}.${ENDINGS[format] ?? format}`;
    if (format === 'png') save(name, await asPng(answer.output));
    else save(name, answer.output, format === 'svg' ? 'image/svg+xml' : 'text/plain');
  }

  async function converted(target: Target): Promise<void> {
    const answer = await ask('view', page.request('convert', { to: target.name }));
    if (answer.text === null || answer.text === undefined) {
      return say(answer.diagnostics[0]?.message ?? (answer.said.split('\n', 1)[0] || 'This cannot be written'));
    }
    save(answer.fileName?.replace(/^.*\//, '') ?? `${stem()}.${target.extension}`, answer.text);
  }

  function fill(): void {
    const known = page.known;
    const text = page.texts[page.shown];
    const found = known?.extract?.choreography != null ? known.extract.output : known?.project?.text;
    const ending = known?.extract ? 'chor' : 'net';
    const parts: HTMLElement[] = [
      html('h2', { class: 'unseen' }, 'Export'),
      html('h3', {}, 'Texts'),
      html(
        'div',
        { class: 'choices' },
        button('This text', text.name, async () => save(text.name.replace(/^.*\//, ''), text.text)),
        found != null && button(known?.extract ? 'Choreography' : 'Network', 'What was found', async () => save(`${stem()}.${ending}`, found)),
      ),
    ];
    for (const [of, title, formats] of DRAWINGS) {
      const buttons = formats.map((format) => button(TITLES[format] ?? format.toUpperCase(), `${title} as ${format}`, () => drawing(of, format)));
      parts.push(html('h3', {}, title), html('div', { class: 'choices' }, ...buttons));
    }
    const others = targets.map((target) => button(target.name, target.description, () => converted(target)));
    parts.push(html('h3', {}, 'Other languages'), html('div', { class: 'choices' }, ...others));
    panel.replaceChildren(...parts);
  }

  const menu = popup('export', 'export-panel', fill);
  void ask('languages', { do: 'version' }).then((answer) => (targets = answer.writes), () => {});
}
