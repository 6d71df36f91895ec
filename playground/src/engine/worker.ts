// Runs in the worker: holds one instance of the engine and answers one request at a time. It keeps nothing between
// requests, so it can be ended whenever the user wants to stop.
//
// The engine comes in two parts (split.mjs). The first imports a placeholder for each function of the rest; when one of them
// is called, the rest takes the places of all of them. If it has not been loaded yet, the page is told so: it starts
// another worker with both parts and asks again.

import { fromBase64 } from '../bytes';
import { join, LC } from './streams';
import { unpack } from './unpack';

interface Exports {
  memory: WebAssembly.Memory;
  laban_alloc(length: number): number;
  laban_call(pointer: number, length: number): number;
  laban_free(pointer: number, length: number): void;
}

/** A part of the engine as it was loaded: the kinds of its bytes (streams.ts), or as it was unpacked by another worker. */
export type Part = Array<{ packed: string; length: number }> | ArrayBuffer;
export type PartName = 'first' | 'rest';

type Message = { part: PartName; content: Part } | { id: number; request: string; repeat?: number };

class Missing extends Error {}

const scope = self as unknown as DedicatedWorkerGlobalScope;
let engine: Promise<Exports> | undefined;
let rest: Part | undefined;

function bytesOf(name: PartName, part: Part): ArrayBuffer {
  if (part instanceof ArrayBuffer) return part;
  const { buffer } = join(part.map(({ packed, length }, kind) => unpack(fromBase64(packed), length, LC[kind]!)));
  scope.postMessage({ part: name, bytes: buffer });
  return buffer;
}

async function start(part: Part): Promise<Exports> {
  const module = await WebAssembly.compile(bytesOf('first', part));
  let instance: WebAssembly.Instance;
  let complete = false;
  const complement = () => {
    if (complete) return;
    if (!rest) throw new Missing();
    new WebAssembly.Instance(new WebAssembly.Module(bytesOf('rest', rest)), { primary: instance.exports });
    complete = true;
  };
  const placeholder: Record<string, (...values: unknown[]) => unknown> = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    placeholder[name] = (...values) => {
      complement();
      const table = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Table)!;
      return table.get(Number(name))(...values);
    };
  }
  instance = await WebAssembly.instantiate(module, { placeholder });
  const engine = instance.exports as unknown as Exports;
  warm(engine);
  return engine;
}

/** Browsers compile a function when it is called for the first time. Here this happens before somebody waits for an answer. */
function warm(engine: Exports): void {
  const text = `// a
p { def A { q!<x>; if y then q+l; A else q+r; stop } main { A } }
| q { def B { p?; p&{ l: B, r: stop } } main { B } }
`;
  const files = [{ name: 'a.net', text }];
  const drawings = [{ of: 'sequence', format: 'svg', steps: true }];
  for (const request of [{ do: 'version' }, { do: 'analyse', files }, { do: 'extract', files, drawings }]) ask(engine, JSON.stringify(request));
}

function ask(engine: Exports, request: string): string {
  const bytes = new TextEncoder().encode(request);
  const at = engine.laban_alloc(bytes.length) >>> 0;
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const answer = engine.laban_call(at, bytes.length) >>> 0;
  engine.laban_free(at, bytes.length);
  const length = new DataView(engine.memory.buffer).getUint32(answer, true);
  const text = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, answer + 4, length));
  engine.laban_free(answer, length + 4);
  return text;
}

scope.onmessage = async ({ data }: MessageEvent<Message>) => {
  if ('part' in data) {
    if (data.part === 'first') engine = start(data.content);
    else rest = data.content;
    return;
  }
  const { id, request, repeat } = data;
  try {
    const ready = await engine!;
    const begin = performance.now();
    let text = ask(ready, request);
    for (let times = 1; times < (repeat ?? 1); times += 1) text = ask(ready, request);
    scope.postMessage({ id, text, milliseconds: performance.now() - begin });
  } catch (error) {
    if (error instanceof Missing) scope.postMessage({ id, missing: true });
    else scope.postMessage({ id, fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
};
