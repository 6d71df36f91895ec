// Runs in the worker: holds one instance of the module and answers one request at a time. It keeps nothing between
// requests, so it can be ended whenever the user wants to stop.

interface Exports {
  memory: WebAssembly.Memory;
  laban_alloc(length: number): number;
  laban_call(pointer: number, length: number): number;
  laban_free(pointer: number, length: number): void;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
let exports: Promise<Exports> | undefined;

async function start(bytes: ArrayBuffer): Promise<Exports> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return instance.exports as unknown as Exports;
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

scope.onmessage = async ({ data }: MessageEvent) => {
  if (data.module) {
    exports = start(data.module);
    return;
  }
  const { id, request, repeat } = data as { id: number; request: string; repeat?: number };
  try {
    const engine = await exports!;
    const begin = performance.now();
    let text = ask(engine, request);
    for (let times = 1; times < (repeat ?? 1); times += 1) text = ask(engine, request);
    scope.postMessage({ id, text, milliseconds: performance.now() - begin });
  } catch (error) {
    scope.postMessage({ id, fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
};
