// What the server and this extension say to each other beyond the language server protocol. Pure: nothing here knows an editor.
// What comes from outside is looked at before it is believed.

export const KINDS = {
  sequence: 'Sequence diagram',
  communications: 'Who talks to whom',
  automata: 'What each process does',
  graph: 'Graph',
  choreography: 'Choreography',
  network: 'Network',
} as const;

/** What can be shown of a text. */
export type Kind = keyof typeof KINDS;

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Which text, and which block of it if it is Markdown. */
export interface Target {
  readonly uri: string;
  readonly position?: Position;
}

/** The answer to `laban/preview`. */
export interface Preview {
  readonly kind: Kind;
  readonly title: string;
  readonly text?: string;
  readonly svg?: string;
  readonly message?: string;
}

/** The notification `laban/analysed`. */
export interface Analysed {
  readonly uri: string;
  readonly summary: string;
}

/** Code lenses name these commands of the server. */
export const SHOW_CHOREOGRAPHY = 'laban.showChoreography';
export const SHOW_DIAGRAM = 'laban.showDiagram';

export function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function position(value: unknown): Position | undefined {
  if (!isRecord(value) || !isCount(value['line']) || !isCount(value['character'])) return undefined;
  return { line: value['line'], character: value['character'] };
}

/** A text and maybe a place in it. */
export function target(uri: unknown, place?: unknown): Target | undefined {
  if (typeof uri !== 'string' || uri === '') return undefined;
  const found = position(place);
  return found === undefined ? { uri } : { uri, position: found };
}

/** The arguments of a code lens: the address of a text and maybe a position, or an object with both. */
export function targetOfArguments(values: readonly unknown[]): Target | undefined {
  const [first, second] = values;
  if (isRecord(first)) return target(first['uri'], first['position']);
  return target(first, second);
}

/** What the server answered, if it is a preview. */
export function preview(value: unknown): Preview | undefined {
  if (!isRecord(value) || !isKind(value['kind'])) return undefined;
  const found: { -readonly [Key in keyof Preview]: Preview[Key] } = {
    kind: value['kind'],
    title: typeof value['title'] === 'string' ? value['title'] : KINDS[value['kind']],
  };
  for (const key of ['text', 'svg', 'message'] as const) {
    const part = value[key];
    if (typeof part === 'string') found[key] = part;
  }
  return found;
}

export function analysed(value: unknown): Analysed | undefined {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return undefined;
  return { uri: value['uri'], summary: typeof value['summary'] === 'string' ? value['summary'] : '' };
}

/** Whether two addresses are of the same text, however their special characters are written. */
export function sameAddress(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The name of the text that shows something of another text, and what it shows: path and query of its address. */
export function addressOfText(kind: 'choreography' | 'network', of: Target): { path: string; query: string } {
  const file = plain(of.uri.split('/').at(-1) ?? '').replace(/[?#].*$/, '');
  const extension = kind === 'choreography' ? 'chor' : 'net';
  const name = `${file.replace(/\.[^.]*$/, '') || 'untitled'} (${kind}).${extension}`;
  return { path: `/${name}`, query: JSON.stringify({ kind, ...of }) };
}

/** What a text shows, by the query of its address. */
export function textOfQuery(query: string): { kind: Kind; of: Target } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isKind(value['kind'])) return undefined;
  const of = target(value['uri'], value['position']);
  return of === undefined ? undefined : { kind: value['kind'], of };
}

/** A text that shows something of another one; what cannot be shown becomes a comment. */
export function textOf(found: Preview | undefined): string {
  if (found?.text !== undefined && found.message === undefined) return found.text;
  const why = found?.message ?? 'there is nothing to show here';
  const comment = why
    .split(/\r?\n/)
    .map((line) => `// ${line}\n`)
    .join('');
  return comment + (found?.text ?? '');
}
