// What each token of a text is, as Laban's own parser says: the program `tokens` of crates/laban/examples.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Class =
  | 'comment'
  | 'expression'
  | 'keyword'
  | 'label'
  | 'number'
  | 'operator'
  | 'procedure'
  | 'process'
  | 'punctuation'
  | 'unknown';

export interface Classified {
  readonly name: string;
  readonly language: 'net' | 'chor';
  readonly text: string;
  readonly tokens: readonly (readonly [start: number, end: number, is: Class])[];
}

// The tests are bundled into editors/vscode/out/tests.
export const extension = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const repository = join(extension, '..', '..');

/** The networks and choreographies below a folder of the repository. */
function texts(folder: string): string[] {
  const names = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(net|chor)$/.test(name))
    .map((name) => relative(repository, join(repository, folder, name)))
    .sort();
}

/** All examples, texts that are hard to colour, and random ones; and the names of those that have mistakes. */
export function classified(): { all: Classified[]; leftOut: string[]; files: string[] } {
  const files = [...texts('examples'), ...texts('editors/vscode/tests/hard')];
  const program = process.env['LABAN_TOKENS'];
  if (program === undefined) throw new Error('LABAN_TOKENS is not set: run scripts/check-editors');
  const result = execFileSync(program, ['--random', '60', ...files], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const all = result
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Classified);
  const read = new Set(all.map((text) => text.name));
  return { all, leftOut: files.filter((file) => !read.has(file)), files };
}

/** What is at a place, for a message. */
export function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
