// What the build packs, the page unpacks: src/engine/unpack.ts and streams.ts are our own.

import { readFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { lzma, moduleOf } from '../pack.mjs';
import { check, expect, root } from './browser.mjs';

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
    const { unpack } = await moduleOf('engine/unpack.ts');
    const samples = [new Uint8Array(0), Uint8Array.of(7), new Uint8Array(70_000)];
    for (let seed = 1; seed <= 60; seed += 1) samples.push(sample(seed, seed * seed * (seed % 10 ? 7 : 90)));
    let all = 0;
    for (const [index, bytes] of samples.entries()) {
      const lc = index % 5;
      expect(Buffer.compare(unpack(lzma(bytes, lc), bytes.length, lc), bytes) === 0, `${bytes.length} bytes come out differently`);
      all += bytes.length;
    }
    return `${samples.length} samples, ${all} bytes`;
  });

  await check('kinds of bytes are put together as they were', async () => {
    const { join, separate } = await moduleOf('engine/streams.ts');
    const engine = readFileSync(path(root, 'target/playground/laban.wasm'));
    // The code of a module, and after it something that is no code; and things that are no modules.
    const samples = [engine, new Uint8Array(0), Uint8Array.of(7), new Uint8Array(70_000), new Uint8Array(70_000).fill(255)];
    for (let seed = 1; seed <= 60; seed += 1) {
      const bytes = sample(seed, seed * 500);
      samples.push(bytes, Buffer.concat([engine.subarray(0, seed * 20_000), bytes, engine.subarray(seed * 10_000, seed * 20_000)]));
    }
    for (const bytes of samples) expect(Buffer.compare(join(separate(bytes)), bytes) === 0, `${bytes.length} bytes come out differently`);
    const [outside, , opcodes] = separate(engine);
    expect(outside.length < engine.length / 5, 'most of the engine is said to be no code');
    const locals = [...opcodes].filter((byte) => byte === 0x20).length;
    expect(locals > opcodes.length / 10, 'the opcodes are something else');
    return `${samples.length} samples`;
  });
}
