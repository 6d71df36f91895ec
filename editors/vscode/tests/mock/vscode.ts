// As much of the module `vscode` as the extension and its client need to run without an editor: documents that can be opened
// and edited, providers that can be asked, panels that remember what was shown. It decides nothing about Laban.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Listener<Event> = (event: Event) => unknown;

export class Disposable {
  constructor(private readonly run: () => unknown = () => undefined) {}
  dispose(): void {
    this.run();
  }
  static from(...all: Disposable[]): Disposable {
    return new Disposable(() => {
      all.forEach((one) => {
        one.dispose();
      });
    });
  }
}

export class EventEmitter<Event> {
  private readonly listeners = new Set<Listener<Event>>();
  readonly event = (listener: Listener<Event>, self?: unknown): Disposable => {
    const bound: Listener<Event> = (event) => listener.call(self, event);
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(event: Event): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.cancelled.fire(undefined);
  }
  dispose(): void {
    this.cancelled.dispose();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position | number, end: Position | number, line?: number, character?: number) {
    if (start instanceof Position && end instanceof Position) [this.start, this.end] = [start, end];
    else {
      this.start = new Position(start as number, end as number);
      this.end = new Position(line ?? 0, character ?? 0);
    }
  }
}

export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
    readonly query: string,
    readonly fragment: string,
  ) {}
  static parse(text: string): Uri {
    const found = /^([^:]+):(?:\/\/([^/]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
    const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = found ?? [];
    return new Uri(scheme, authority, decodeURIComponent(path), decodeURIComponent(query), fragment);
  }
  static file(path: string): Uri {
    return Uri.parse(pathToFileURL(path).href);
  }
  static from(parts: { scheme: string; path?: string; query?: string }): Uri {
    return new Uri(parts.scheme, '', parts.path ?? '', parts.query ?? '', '');
  }
  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return new Uri(uri.scheme, uri.authority, join(uri.path, ...parts), uri.query, uri.fragment);
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    const path = this.path.split('/').map(encodeURIComponent).join('/');
    const authority = this.scheme === 'file' ? `//${this.authority}` : '';
    return `${this.scheme}:${authority}${path}${this.query === '' ? '' : `?${encodeURIComponent(this.query)}`}`;
  }
  toJSON(): string {
    return this.toString();
  }
}

export class TextDocument {
  version = 1;
  readonly isClosed = false;
  readonly eol = 1;
  constructor(
    readonly uri: Uri,
    readonly languageId: string,
    private text: string,
  ) {}
  getText(): string {
    return this.text;
  }
  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }
  /** Replaces the first place where some text is, and says so as an editor does. */
  edit(old: string, by: string): void {
    const at = this.text.indexOf(old);
    if (at < 0) throw new Error(`${this.uri.path} does not contain ${old}`);
    const range = new Range(this.positionAt(at), this.positionAt(at + old.length));
    this.text = this.text.slice(0, at) + by + this.text.slice(at + old.length);
    this.version += 1;
    const change = { range, rangeOffset: at, rangeLength: old.length, text: by };
    events.changed.fire({ document: this, contentChanges: [change] });
  }
}

interface Panel {
  readonly viewType: string;
  title: string;
  readonly shown: unknown[];
  readonly html: () => string;
  readonly send: (message: unknown) => void;
  readonly close: () => void;
}

type Provider = Readonly<Record<string, (...values: unknown[]) => unknown>>;

const events = {
  opened: new EventEmitter<TextDocument>(),
  changed: new EventEmitter<unknown>(),
  closed: new EventEmitter<TextDocument>(),
  activeEditor: new EventEmitter<unknown>(),
};

/** What a test can look at, and what it can set. */
export const state = {
  configuration: {} as Record<string, unknown>,
  documents: [] as TextDocument[],
  diagnostics: new Map<string, { message: string; code?: unknown; source?: string }[]>(),
  providers: new Map<string, Provider>(),
  commands: new Map<string, (...values: unknown[]) => unknown>(),
  panels: [] as Panel[],
  errors: [] as string[],
  contents: new Map<string, Provider>(),
  editor: undefined as { document: TextDocument; selection: Selection } | undefined,
};

/** Opens a document and looks at it. */
export function open(document: TextDocument): void {
  state.documents.push(document);
  const start = new Position(0, 0);
  state.editor = { document, selection: new Selection(start, start) };
  events.opened.fire(document);
  events.activeEditor.fire(state.editor);
}

const nothing = () => new Disposable();
const never = new EventEmitter<never>().event;

/** Everything else that a module has is there, and does nothing. */
function lenient<Known extends object>(known: Known, otherwise: (name: string) => unknown): Known {
  return new Proxy(known, {
    get: (target, name) => {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name) as unknown;
      const made = otherwise(name);
      Reflect.set(target, name, made);
      return made;
    },
    has: () => true,
  });
}

function member(name: string): unknown {
  if (/^on(Did|Will)[A-Z]/.test(name)) return never;
  return nothing;
}

const selects = (selector: unknown, document: TextDocument): boolean => {
  const filters = (Array.isArray(selector) ? selector : [selector]) as { language?: string; scheme?: string }[];
  return filters.some((one) => {
    return one.language === document.languageId && (one.scheme ?? document.uri.scheme) === document.uri.scheme;
  });
};

const languages = lenient(
  {
    match: (selector: unknown, document: TextDocument) => (selects(selector, document) ? 10 : 0),
    createLanguageStatusItem: () => ({ text: '', name: '', dispose: () => undefined }),
    createDiagnosticCollection: () => ({
      set: (uri: Uri, found: { message: string }[] | undefined) => {
        state.diagnostics.set(uri.toString(), [...(found ?? [])]);
      },
      delete: (uri: Uri) => state.diagnostics.delete(uri.toString()),
      clear: () => {
        state.diagnostics.clear();
      },
      get: (uri: Uri) => state.diagnostics.get(uri.toString()),
      dispose: () => undefined,
    }),
  },
  (name) => {
    const kind = /^register(.*)Provider$/.exec(name)?.[1];
    if (kind === undefined) return member(name);
    return (_selector: unknown, provider: Provider) => {
      state.providers.set(kind, provider);
      return new Disposable(() => state.providers.delete(kind));
    };
  },
);

const workspace = lenient(
  {
    workspaceFolders: undefined,
    textDocuments: state.documents,
    notebookDocuments: [],
    isTrusted: true,
    onDidOpenTextDocument: events.opened.event,
    onDidChangeTextDocument: events.changed.event,
    onDidCloseTextDocument: events.closed.event,
    getConfiguration: (section = '') => ({
      get: (name: string, value: unknown) => state.configuration[section === '' ? name : `${section}.${name}`] ?? value,
      has: () => false,
      inspect: () => undefined,
    }),
    createFileSystemWatcher: () => ({
      onDidCreate: never,
      onDidChange: never,
      onDidDelete: never,
      dispose: () => undefined,
    }),
    registerTextDocumentContentProvider: (scheme: string, provider: Provider) => {
      state.contents.set(scheme, provider);
      return new Disposable();
    },
    openTextDocument: async (uri: Uri) => {
      const source = new CancellationTokenSource();
      const text = (await state.contents.get(uri.scheme)?.['provideTextDocumentContent']?.(uri, source.token)) as string;
      const document = new TextDocument(uri, uri.path.endsWith('.chor') ? 'laban-chor' : 'laban-net', text);
      state.documents.push(document);
      return document;
    },
    getWorkspaceFolder: () => undefined,
    fs: {},
  },
  member,
);

const output = lenient({ name: 'Laban', logLevel: 3, onDidChangeLogLevel: never }, member);

const window = lenient(
  {
    get activeTextEditor() {
      return state.editor;
    },
    get visibleTextEditors() {
      return state.editor === undefined ? [] : [state.editor];
    },
    activeColorTheme: { kind: 1 },
    onDidChangeActiveTextEditor: events.activeEditor.event,
    tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
    state: { focused: true },
    createOutputChannel: () => output,
    showTextDocument: () => Promise.resolve(undefined),
    showErrorMessage: (message: string) => {
      state.errors.push(message);
      return Promise.resolve(undefined);
    },
    createWebviewPanel: (viewType: string, title: string) => {
      const received = new EventEmitter<unknown>();
      const closed = new EventEmitter<undefined>();
      const shown: unknown[] = [];
      const webview = {
        html: '',
        options: {},
        cspSource: 'https://source',
        asWebviewUri: (uri: Uri) => uri,
        onDidReceiveMessage: received.event,
        postMessage: (message: unknown) => {
          shown.push(message);
          return Promise.resolve(true);
        },
      };
      const panel = { webview, title, viewType, reveal: nothing, onDidDispose: closed.event, dispose: nothing };
      state.panels.push({
        viewType,
        get title() {
          return panel.title;
        },
        shown,
        html: () => webview.html,
        send: (message) => {
          received.fire(message);
        },
        close: () => {
          closed.fire(undefined);
        },
      });
      return panel;
    },
  },
  member,
);

const commands = lenient(
  {
    registerCommand: (name: string, run: (...values: unknown[]) => unknown) => {
      if (state.commands.has(name)) throw new Error(`there are two commands ${name}`);
      state.commands.set(name, run);
      return new Disposable(() => state.commands.delete(name));
    },
    executeCommand: (name: string, ...values: unknown[]) => Promise.resolve(state.commands.get(name)?.(...values)),
  },
  member,
);

/** Objects of a class of the editor that only carry what they are given. */
class Carrier {
  readonly values: readonly unknown[];
  constructor(...values: unknown[]) {
    this.values = values;
  }
}

/** Numbers and names that the code compares with each other. */
const enumerations = {
  ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 },
  ViewColumn: { Active: -1, Beside: -2 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  UIKind: { Desktop: 1, Web: 2 },
};

class Diagnostic {
  code?: unknown;
  source?: string;
  relatedInformation?: unknown[];
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

class CodeActionKind {
  static readonly Empty = new CodeActionKind('');
  constructor(readonly value: string) {}
  append(part: string): CodeActionKind {
    return new CodeActionKind(this.value === '' ? part : `${this.value}.${part}`);
  }
}

class CodeLens {
  constructor(
    readonly range: Range,
    public command?: unknown,
  ) {}
}

/** What the editor has besides; objects that bundlers make of a module copy what it has itself, and share its prototype. */
const rest = lenient({}, (name) => {
  if (name === 'then' || name === 'default') return undefined;
  if (/Kind$|Type$|Reason$|Tag$|Severity$|Mode$|Behavior$|Level$|Options$|Trigger$/.test(name)) {
    return lenient({}, () => 0);
  }
  return /^[A-Z]/.test(name) ? class extends Carrier {} : lenient({}, member);
});

export const vscode: object = Object.assign(Object.create(rest) as object, {
  __esModule: true,
  Disposable,
  EventEmitter,
  CancellationTokenSource,
  Position,
  Range,
  Selection,
  Uri,
  Diagnostic,
  CodeActionKind,
  CodeLens,
  ...enumerations,
  languages,
  workspace,
  window,
  commands,
  version: '1.91.0',
  env: lenient({ language: 'en', appName: 'test', uiKind: 1, clipboard: { writeText: () => Promise.resolve() } }, member),
  extensions: lenient({ all: [], getExtension: () => undefined }, member),
  l10n: { t: (text: string) => text },
});
