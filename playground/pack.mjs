// Packs a part of the engine as src/engine/worker.ts reads it: each kind of bytes by itself.

import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A module of the page, for the build and its checks. */
export async function moduleOf(name) {
  const entry = join(dirname(fileURLToPath(import.meta.url)), 'src', name);
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: 'esm', logLevel: 'error' });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Raw LZMA; other numbers than these make WebAssembly larger. */
export function lzma(bytes, lc) {
  const options = ['--format=raw', `--lzma1=preset=9e,lc=${lc},lp=0,pb=0,nice=273`, '--stdout'];
  return execFileSync('xz', options, { input: bytes, maxBuffer: 1 << 26 });
}

export async function packed(bytes) {
  const { separate, LC } = await moduleOf('engine/streams.ts');
  return separate(bytes).map((kind, index) => ({ packed: lzma(kind, LC[index]).toString('base64'), length: kind.length }));
}
