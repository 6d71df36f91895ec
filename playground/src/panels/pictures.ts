// The views that are one picture: sequence diagram, execution graph, automata, and who talks to whom. Each is drawn when
// somebody looks at it.

import { html } from '../dom';
import { ask, Stopped } from '../engine/client';
import type { Page, Panel } from '../model';
import { asPng, pictureBox } from '../picture';
import { copyText, save } from '../copy';

export type View = 'sequence' | 'seg' | 'automata' | 'communications';

const TITLES: Record<View, string> = {
  sequence: 'Sequence diagram',
  seg: 'Execution graph: the states that the processes reach together',
  automata: 'What each process does',
  communications: 'Who talks to whom',
};

export function picturePanel(page: Page, host: HTMLElement, view: View): Panel {
  let asked = 0;
  let shown = false;

  async function draw(): Promise<void> {
    asked += 1;
    const mine = asked;
    if (!page.known?.analyse.usable) {
      host.replaceChildren(html('p', { class: 'soft' }, 'There is nothing to draw as long as the text has mistakes.'));
      return;
    }
    host.replaceChildren(html('p', { class: 'soft' }, 'Drawing…'));
    let text: string | null = null;
    let said = '';
    const before = view === 'sequence' ? page.known.extract?.drawings[0] : undefined;
    if (before) {
      ({ text, said } = before);
    } else {
      try {
        const answer = await ask('view', page.request('draw', { of: view, format: 'svg' }));
        text = answer.output || null;
        said = answer.said;
      } catch (error) {
        if (mine !== asked) return;
        host.replaceChildren(html('p', { class: 'soft' }, error instanceof Stopped ? 'Stopped.' : String(error)));
        shown = false;
        return;
      }
      if (mine !== asked) return;
    }
    if (!text) {
      host.replaceChildren(html('p', { class: 'soft' }, 'There is nothing to draw.'), html('pre', { class: 'text', tabindex: '0' }, said));
      return;
    }
    const drawing = text;
    const { box, tools } = pictureBox(drawing, TITLES[view]);
    const name = `${page.texts[page.shown].name.replace(/^.*\//, '').replace(/\.\w+$/, '')}-${view}`;
    const button = (label: string, click: () => void) => html('button', { type: 'button', class: 'quiet', click }, label);
    tools.prepend(
      button('SVG', () => save(`${name}.svg`, drawing, 'image/svg+xml')),
      button('PNG', () => void asPng(drawing).then((blob) => save(`${name}.png`, blob))),
      button('Copy', () => void copyText(drawing, 'Picture')),
    );
    host.replaceChildren(
      html('div', { class: 'tool' }, html('h2', {}, TITLES[view]), html('span', { class: 'gap' }), tools),
      box,
      ...(said ? [html('p', { class: 'soft small' }, said)] : []),
    );
  }

  return {
    forget() {
      asked += 1;
      shown = false;
      host.replaceChildren();
    },
    show() {
      if (shown || !page.known) return;
      shown = true;
      void draw();
    },
  };
}
