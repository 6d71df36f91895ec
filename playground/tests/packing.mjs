// What `xz` packs, the page unpacks: src/engine/unpack.ts is our own.

import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { XZ } from '../pack.mjs';
import { check, expect, playground } from './browser.mjs';

/** Numbers that look random and are the same each time. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

/** Bytes with repetitions near and far, long and short. */
function sample(seed, length) {
  const random = numbers(seed);
  const next = (below) => random.next().value % below;
  const bytes = [];
  while (bytes.length < length) {
    const from = bytes.length ? next(bytes.length) : 0;
    if (bytes.length && next(3)) {
      // As it was before, or nearly so, also where it overlaps itself.
      const start = next(2) ? from : Math.max(0, bytes.length - 1 - next(40));
      for (let count = next(next(20) ? 12 : 600); count >= 0; count -= 1) bytes.push(bytes[start + (count % (bytes.length - start))]);
    } else for (let count = next(9); count >= 0; count -= 1) bytes.push(next(seed % 2 ? 256 : 7));
  }
  return Uint8Array.from(bytes.slice(0, length));
}

export async function packing() {
  await check('what was packed is unpacked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'playground-'));
    const outfile = join(folder, 'unpack.mjs');
    await build({ entryPoints: [join(playground, 'src/engine/unpack.ts')], outfile, format: 'esm', logLevel: 'error' });
    const { unpack } = await import(pathToFileURL(outfile).href);
    rmSync(folder, { recursive: true });
    const samples = [new Uint8Array(0), Uint8Array.of(7), new Uint8Array(70_000)];
    for (let seed = 1; seed <= 60; seed += 1) samples.push(sample(seed, seed * seed * (seed % 10 ? 7 : 90)));
    let all = 0;
    for (const bytes of samples) {
      const packed = execFileSync('xz', XZ, { input: bytes, maxBuffer: 1 << 26 });
      expect(Buffer.compare(unpack(packed, bytes.length), bytes) === 0, `${bytes.length} bytes come out differently`);
      all += bytes.length;
    }
    return `${samples.length} samples, ${all} bytes`;
  });
}
