// The text that is edited: in a plain text area, until the editor is there. Both show the same text; only the editor can
// mark places in it.

import { byId } from './dom';
import type { Diagnostic } from './engine/types';

/** A place in the text that is lit up while a run is shown. */
export interface Mark {
  from: number;
  to: number;
  /** Where a process is, where it has just moved to, where it is stuck, or what happened on the way. */
  kind: 'here' | 'moved' | 'stuck' | 'path';
  title: string;
}

/** What shows a text. The editor script provides another one. */
export interface Surface {
  /** Shows another text and forgets how this one came to be; each number has its own history of changes. */
  open(index: number, text: string): void;
  text(): string;
  /** Replaces parts of the text, as the user would, so that it can be undone. */
  change(edits: Array<{ from: number; to: number; text: string }>): void;
  showDiagnostics(diagnostics: Diagnostic[], apply: (diagnostic: Diagnostic, fix: number) => void): void;
  showMarks(marks: Mark[]): void;
  /** Scrolls there and puts the cursor there. */
  reveal(from: number, to: number, focus: boolean): void;
  hasFocus(): boolean;
  focus(): void;
}

export interface EditorScript {
  mount(host: HTMLElement, label: string, onChange: () => void): Surface;
}

declare global {
  interface Window {
    labanEditor?: EditorScript;
  }
}

function plainSurface(area: HTMLTextAreaElement, onChange: () => void): Surface {
  area.addEventListener('input', onChange);
  return {
    open(_, text) {
      area.value = text;
    },
    text: () => area.value,
    change(edits) {
      let text = area.value;
      for (const edit of [...edits].sort((one, other) => other.from - one.from)) {
        text = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
      }
      area.value = text;
      onChange();
    },
    showDiagnostics() {},
    showMarks() {},
    reveal(from, to, focus) {
      if (!focus) return;
      area.focus();
      area.setSelectionRange(from, to);
      const line = area.value.slice(0, from).split('\n').length;
      area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(area).lineHeight));
    },
    hasFocus: () => document.activeElement === area,
    focus: () => area.focus(),
  };
}

/** Loads the editor and gives it to `take`; where there isn't one, nothing happens and the text area stays. */
function loadEditor(take: (script: EditorScript) => void): void {
  const script = document.createElement('script');
  script.src = 'editor.js';
  script.addEventListener('load', () => window.labanEditor && take(window.labanEditor));
  document.head.append(script);
}

/** The text that is edited, whichever surface shows it. */
export class Source {
  private surface: Surface;
  private index = 0;
  private diagnostics: Diagnostic[] = [];
  private marks: Mark[] = [];
  private apply: (diagnostic: Diagnostic, fix: number) => void = () => {};

  constructor(private readonly onChange: () => void) {
    this.surface = plainSurface(byId<HTMLTextAreaElement>('plain'), () => this.changed());
  }

  /** Replaces the text area by the editor as soon as that is loaded. */
  enhance(): void {
    loadEditor((script) => {
      const area = byId<HTMLTextAreaElement>('plain');
      const { selectionStart, selectionEnd } = area;
      const focused = this.surface.hasFocus();
      const text = this.surface.text();
      this.surface = script.mount(byId('editor'), 'Network or choreography', () => this.changed());
      this.surface.open(this.index, text);
      area.remove();
      if (focused) this.surface.reveal(selectionStart, selectionEnd, true);
      this.surface.showDiagnostics(this.diagnostics, this.apply);
      this.surface.showMarks(this.marks);
      document.documentElement.dataset['editor'] = 'rich';
    });
  }

  private changed(): void {
    // What is marked is of a text that is no longer there.
    this.marks = [];
    this.onChange();
  }

  open(index: number, text: string): void {
    this.index = index;
    this.marks = [];
    this.diagnostics = [];
    this.surface.open(index, text);
  }

  get text(): string {
    return this.surface.text();
  }

  change(edits: Array<{ from: number; to: number; text: string }>): void {
    this.surface.change(edits);
  }

  showDiagnostics(diagnostics: Diagnostic[], apply: (diagnostic: Diagnostic, fix: number) => void): void {
    this.diagnostics = diagnostics;
    this.apply = apply;
    this.surface.showDiagnostics(diagnostics, apply);
  }

  showMarks(marks: Mark[]): void {
    this.marks = marks;
    this.surface.showMarks(marks);
  }

  reveal(from: number, to: number, focus = true): void {
    this.surface.reveal(from, to, focus);
  }
}
