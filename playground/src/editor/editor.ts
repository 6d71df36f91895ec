// The editor: CodeMirror with the engine's diagnostics, and marks for the places of a run. It is a script of its own, which
// the page can do without.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic as Problem, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from '../engine/types';
import type { Mark, Surface } from '../source';
import { laban } from './language';

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: 't-key' },
  { tag: tags.variableName, class: 't-name' },
  { tag: tags.definition(tags.variableName), class: 't-def' },
  { tag: tags.definitionKeyword, class: 't-key' },
  { tag: tags.string, class: 't-value' },
  { tag: tags.labelName, class: 't-label' },
  { tag: tags.comment, class: 't-comment' },
  { tag: tags.operator, class: 't-mark' },
]);

const setMarks = StateEffect.define<Mark[]>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    if (transaction.docChanged) return Decoration.none;
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const length = transaction.newDoc.length;
        const fitting = effect.value.filter((mark) => mark.from < mark.to && mark.to <= length);
        const decorations = fitting.map((mark) =>
          Decoration.mark({
            class: `cm-position${mark.kind === 'here' ? '' : ` cm-position-${mark.kind}`}`,
            attributes: { title: mark.title },
          }).range(mark.from, mark.to),
        );
        return Decoration.set(decorations, true);
      }
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Colours and wrapping cost too much in very long texts. */
const HUGE = 2_000_000;

function mount(host: HTMLElement, label: string, onChange: () => void): Surface {
  const language = new Compartment();
  const extensions: Extension[] = [
    lineNumbers(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: false }),
    syntaxHighlighting(colours),
    indentUnit.of('  '),
    EditorState.tabSize.of(4),
    // Tab leaves the editor, so that it is not a trap for the keyboard.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange();
    }),
    marks,
    // As in the policy of the page: its style may be added, and nobody else's.
    EditorView.cspNonce.of('editor'),
  ];
  const stateOf = (text: string) =>
    EditorState.create({ doc: text, extensions: [...extensions, language.of(text.length > HUGE ? [] : laban())] });
  const view = new EditorView({ state: stateOf(''), parent: host });
  const kept = new Map<number, EditorState>();
  let shown = 0;

  const clamp = (offset: number) => Math.max(0, Math.min(offset, view.state.doc.length));
  return {
    open(index, text) {
      kept.set(shown, view.state);
      shown = index;
      const before = kept.get(index);
      // Coming back to a text, its history is still there.
      view.setState(before && before.doc.toString() === text ? before : stateOf(text));
    },
    text: () => view.state.doc.toString(),
    change(edits) {
      view.dispatch({ changes: edits.map((edit) => ({ from: clamp(edit.from), to: clamp(edit.to), insert: edit.text })) });
    },
    showDiagnostics(diagnostics, apply) {
      view.dispatch(setDiagnostics(view.state, diagnostics.flatMap((diagnostic) => problemOf(diagnostic, clamp, apply))));
    },
    showMarks(list) {
      view.dispatch({ effects: setMarks.of(list) });
    },
    reveal(from, to, focus) {
      view.dispatch({
        ...(focus && { selection: { anchor: clamp(from), head: clamp(to) } }),
        effects: EditorView.scrollIntoView(clamp(from), { y: focus ? 'center' : 'nearest', yMargin: 30 }),
      });
      if (focus) view.focus();
    },
    hasFocus: () => view.hasFocus,
    focus: () => view.focus(),
  };
}

function problemOf(
  diagnostic: Diagnostic,
  clamp: (offset: number) => number,
  apply: (diagnostic: Diagnostic, fix: number) => void,
): Problem[] {
  const place = diagnostic.primary.place;
  if (!place || place.file !== 0) return [];
  const hints = diagnostic.hints.map((hint) => `\nhelp: ${hint}`).join('');
  return [
    {
      from: clamp(place.from),
      to: clamp(place.to),
      severity: diagnostic.severity === 'note' ? 'info' : diagnostic.severity,
      source: diagnostic.code,
      message: diagnostic.message + hints,
      actions: diagnostic.fixes.map((fix, index) => ({ name: fix.title, apply: () => apply(diagnostic, index) })),
    },
  ];
}

window.labanEditor = { mount };
