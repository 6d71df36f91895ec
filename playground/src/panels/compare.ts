// Two texts side by side: does a choreography describe a network (`verify`), or can two systems do the same (`equiv`)? A
// difference is shown as a picture and in words.

import { announce } from '../announce';
import { html } from '../dom';
import { exampleNamed } from '../examples';
import { ask, Stopped } from '../engine/client';
import type { EquivAnswer, VerifyAnswer } from '../engine/types';
import { optionFields, type Page, type Panel } from '../model';
import { pictureBox } from '../picture';

/** What is compared if there is no second text yet, and somebody wants to see how it looks. */
const TRY = ['buyer-seller.net', 'buyer-seller-hasty.chor'] as const;

type Outcome = NonNullable<VerifyAnswer['outcome'] | EquivAnswer['outcome']>;
const WORDS: Record<Outcome, [kind: string, word: string]> = {
  describes: ['good', 'it does'],
  mismatch: ['bad', 'it does not'],
  undecided: ['careful', 'undecided'],
  same: ['good', 'the same'],
  different: ['bad', 'different'],
  unknown: ['careful', 'undecided'],
};

export function comparePanel(page: Page, host: HTMLElement): Panel {
  let asked = 0;
  let shown = false;
  const question = html('p', { class: 'soft' });
  const verify = html('button', { type: 'button', class: 'primary', click: () => void compare('verify') }, 'Verify');
  const equiv = html('button', { type: 'button', click: () => void compare('equiv') }, 'Equivalent?');
  const result = html('div', { class: 'failure' });
  const head = html('div', { class: 'compare-head' }, question, html('div', { class: 'buttons' }, verify, equiv));
  host.replaceChildren(head, result);

  async function kindOf(index: 0 | 1): Promise<string | null> {
    const text = page.texts[index];
    const answer = await ask('view', { do: 'analyse', files: [{ name: text.name, text: text.text }], ...optionFields(page.options) });
    return answer.kind;
  }

  async function compare(what: 'verify' | 'equiv'): Promise<void> {
    asked += 1;
    const mine = asked;
    const [one, other] = page.texts.map(({ name, text }) => ({ name, text }));
    result.replaceChildren(html('p', { class: 'soft' }, 'Comparing…'));
    try {
      let [files, second] = [one!, other!];
      // The network comes first, in whichever tab it is.
      if (what === 'verify' && (await kindOf(0)) === 'choreography' && (await kindOf(1)) === 'network') {
        [files, second] = [second, files];
      }
      const drawings = [{ of: 'sequence', format: 'svg' }];
      const request = { files: [files], with: [second], drawings, ...optionFields(page.options) };
      const answer = await ask('view', { do: what, ...request });
      if (mine !== asked) return;
      show(what, answer, files.name, second.name);
    } catch (error) {
      if (mine === asked) result.replaceChildren(html('p', { class: 'soft' }, error instanceof Stopped ? 'Stopped.' : String(error)));
    }
  }

  function show(what: 'verify' | 'equiv', answer: VerifyAnswer | EquivAnswer, first: string, second: string): void {
    const [kind, word] = answer.outcome ? WORDS[answer.outcome] : ['bad', 'mistakes in the texts'];
    const asks = what === 'verify' ? `Does ${second} describe ${first}?` : `Can ${first} and ${second} do the same?`;
    const text = [answer.output, answer.said, ...answer.remarks].filter((part) => part.trim()).join('\n');
    const drawing = answer.drawings[0]?.text;
    const parts: Node[] = [html('h2', {}, asks, ' ', html('span', { class: 'badge', 'data-kind': kind }, word))];
    if (drawing) {
      const { box, tools } = pictureBox(drawing, 'The difference as a sequence diagram');
      box.classList.add('difference');
      parts.push(html('div', { class: 'tool' }, html('h3', {}, 'The difference'), html('span', { class: 'gap' }), tools), box);
    }
    parts.push(html('pre', { class: 'text', tabindex: '0', role: 'region', 'aria-label': 'What the command says' }, text));
    result.replaceChildren(...parts);
    announce(`${asks} ${word}`);
  }

  async function look(): Promise<void> {
    const empty = page.texts.findIndex((text) => !text.text.trim());
    result.replaceChildren();
    head.hidden = empty >= 0;
    if (empty >= 0) {
      const go = () => page.showText(empty as 0 | 1);
      const fill = () => {
        for (const index of [0, 1] as const) {
          const example = exampleNamed(TRY[index])!;
          page.openText({ name: example.file, text: example.text, example }, index);
        }
        page.view('view-compare');
      };
      result.replaceChildren(
        html('p', {}, 'Two texts are compared: a choreography with the network that it should describe, or any two systems with each other.'),
        html(
          'div',
          { class: 'buttons' },
          html('button', { type: 'button', class: 'primary', click: go }, 'Write the other text'),
          html('button', { type: 'button', click: fill }, 'Show me an example'),
        ),
      );
      return;
    }
    const [one, other] = page.texts;
    question.textContent = `${one.name} and ${other.name}`;
    asked += 1;
    const mine = asked;
    try {
      const kinds = [await kindOf(0), await kindOf(1)];
      if (mine !== asked) return;
      const fits = new Set(kinds).size === 2 && !kinds.includes(null);
      verify.disabled = !fits;
      verify.title = fits ? '' : 'needs a network and a choreography';
      await compare(fits ? 'verify' : 'equiv');
    } catch (error) {
      if (mine === asked) result.replaceChildren(html('p', { class: 'soft' }, error instanceof Stopped ? 'Stopped.' : String(error)));
    }
  }

  return {
    forget() {
      asked += 1;
      shown = false;
    },
    show() {
      if (shown) return;
      shown = true;
      void look();
    },
  };
}
