// Cuts the engine in two: what is needed to answer about networks like the examples, with which the page begins, and the rest,
// which comes after the first answer: choreographies, and the languages of other tools. A function of the rest that is called early waits for it
// (src/engine/worker.ts). Nothing is lost, whatever is put where; only what is loaded first gets smaller.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the compiler uses of WebAssembly. */
const FEATURES = ['bulk-memory', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals', 'reference-types', 'multivalue'].map((name) => `--enable-${name}`);
const MAX_STATES = 20_000;

/** Calls everything that the answers about these texts need. */
function use(engine, texts) {
  const { memory, laban_alloc, laban_call, laban_free } = engine;
  const ask = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const at = laban_alloc(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const answer = laban_call(at, bytes.length) >>> 0;
    laban_free(at, bytes.length);
    laban_free(answer, new DataView(memory.buffer).getUint32(answer, true) + 4);
  };
  ask({ do: 'version' });
  for (const file of texts) {
    const about = { files: [file], maxStates: MAX_STATES };
    ask({ do: 'analyse', ...about });
    ask({ do: 'extract', drawings: [{ of: 'sequence', format: 'svg', steps: true }], ...about });
  }
}

/** The two parts of a module that still has the names of its functions; `texts` are what the first must be able to answer. */
export function split(named, texts) {
  const folder = mkdtempSync(join(tmpdir(), 'laban-split-'));
  const path = (name) => join(folder, name);
  const run = (tool, ...args) => execFileSync(tool, [...FEATURES, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    run('wasm-split', '--instrument', named, '-o', path('watched.wasm'));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path('watched.wasm'))), {});
    use(exports, texts);
    const length = exports.__write_profile(0, 0);
    const at = exports.laban_alloc(length) >>> 0;
    exports.__write_profile(at, length);
    writeFileSync(path('profile'), new Uint8Array(exports.memory.buffer, at, length));
    run('wasm-split', '--split', '--profile', path('profile'), named, '-o1', path('first.wasm'), '-o2', path('rest.wasm'));
    const part = (name) => {
      run('wasm-opt', '--strip-debug', '--strip-producers', '--strip-target-features', path(`${name}.wasm`), '-o', path(`${name}-bare.wasm`));
      return readFileSync(path(`${name}-bare.wasm`));
    };
    return { first: part('first'), rest: part('rest') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
