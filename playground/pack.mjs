// Packs a part of the engine as src/engine/unpack.ts reads it.

import { execFileSync } from 'node:child_process';

/** Raw LZMA; other numbers than these make WebAssembly larger. */
export const XZ = ['--format=raw', '--lzma1=preset=9e,lc=4,lp=0,pb=0,nice=273', '--stdout'];

export const packed = (bytes) => ({ packed: execFileSync('xz', XZ, { input: bytes, maxBuffer: 1 << 26 }).toString('base64'), length: bytes.length });
