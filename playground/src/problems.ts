// The list of messages below the text: what is wrong, where, and what would help. The same is in the text, if the editor is
// there; this list also works without it, and for who cannot see squiggles.

import { byId, counted, html, sentence } from './dom';
import type { Answer, Diagnostic } from './engine/types';

const SIGNS = { error: '!', warning: '!', note: 'i' };

/** Shows them; those that are explained elsewhere on the page, in short. */
export function showProblems(
  answer: Pick<Answer, 'diagnostics' | 'omitted' | 'remarks'>,
  explained: Set<number>,
  onPlace: (diagnostic: Diagnostic) => void,
  onFix: (diagnostic: Diagnostic, fix: number) => void,
): void {
  const rows: HTMLElement[] = answer.diagnostics.map((diagnostic, number) => {
    const place = diagnostic.primary.place;
    const where = place && place.file === 0 ? `line ${place.line}` : '';
    const code = html('span', { class: 'soft' }, `${diagnostic.severity}[${diagnostic.code}] `);
    const message = html('p', {}, code, ...sentence(diagnostic.message), where ? ', ' : '');
    if (where) {
      message.append(html('button', { type: 'button', class: 'link', click: () => onPlace(diagnostic) }, where));
    }
    const notes = diagnostic.notes.map((note) => note.text + (note.steps.length ? `: ${note.steps.join('; ')}` : ''));
    const more = explained.has(number) ? [] : [...notes, ...diagnostic.hints.map((hint) => `Help: ${hint}`)];
    const fixes = diagnostic.fixes.map((fix, index) =>
      html('button', { type: 'button', click: () => onFix(diagnostic, index) }, 'Fix: ', ...sentence(fix.title)),
    );
    return html(
      'div',
      { class: 'problem' },
      html('span', { class: 'sign', 'data-severity': diagnostic.severity, 'aria-hidden': 'true' }, SIGNS[diagnostic.severity]),
      message,
      ...more.map((text) => html('p', { class: 'more' }, ...sentence(text))),
      fixes.length > 0 && html('div', { class: 'buttons' }, ...fixes),
    );
  });
  for (const remark of answer.remarks) {
    const sign = html('span', { class: 'sign', 'data-severity': 'note', 'aria-hidden': 'true' }, 'i');
    rows.push(html('div', { class: 'problem' }, sign, html('p', {}, ...sentence(remark))));
  }
  if (answer.omitted) {
    rows.push(html('div', { class: 'problem' }, html('p', { class: 'more' }, `and ${counted(answer.omitted, 'more message')}`)));
  }
  byId('problems').replaceChildren(...rows);
}
