// The page's side of the worker: requests wait in line, the oldest is answered first, and whatever is no longer wanted is
// dropped; if it is being worked on, the worker is ended and another one started.

import type { Answers, Request } from './types';
import type { Part, PartName } from './worker';

// Put in by the build: the first part of the engine, and the script of the worker. The rest is in a script of its own.
import first from 'laban:first';
import workerSource from 'laban:worker';

/** Why a request has no answer: somebody stopped it, or the engine failed. */
export class Stopped extends Error {}
export class Fault extends Error {}

interface Job {
  id: number;
  group: string;
  request: string;
  repeat?: number;
  resolve(value: { text: string; milliseconds: number }): void;
  reject(error: Error): void;
}

declare global {
  interface Window {
    labanRest?: Part;
  }
}

type Busy = { what: string; since: number } | null;

/** What has been loaded of the engine, packed until a worker has unpacked it. */
const parts: Partial<Record<PartName, Part>> = { first };
let loadingRest: Promise<void> | undefined;
let address: string | undefined;
let worker: Worker | undefined;
let current: Job | undefined;
let waiting: Job[] = [];
let count = 0;
const listeners: Array<(busy: Busy) => void> = [];

export function onBusy(listener: (busy: Busy) => void): void {
  listeners.push(listener);
}

function tell(): void {
  const busy = current ? { what: current.group, since: performance.now() } : null;
  for (const listener of listeners) listener(busy);
}

function startWorker(): Worker {
  // From a blob, since a page from a file may not load a worker from another file.
  address ??= URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
  const started = new Worker(address, { name: 'laban' });
  for (const part of ['first', 'rest'] as const) give(started, part);
  started.onmessage = ({ data }) => {
    if (data.part) {
      parts[data.part as PartName] = data.bytes;
      return;
    }
    if (started !== worker || data.id !== current?.id) return;
    const job = current!;
    if (data.missing) return void askAgain(job);
    current = undefined;
    if (data.fault !== undefined) {
      // After a trap the memory of the module is in no known state.
      endWorker();
      job.reject(new Fault(data.fault));
    } else {
      job.resolve(data);
    }
    next();
  };
  started.onerror = (event) => fail(started, event.message || 'the worker could not be started');
  return started;
}

function fail(which: Worker, why: string): void {
  if (which !== worker) return;
  const job = current;
  current = undefined;
  endWorker();
  job?.reject(new Fault(why));
  next();
}

function give(to: Worker, part: PartName): void {
  if (parts[part]) to.postMessage({ part, content: parts[part] });
}

/** Loads what is not needed for the first answers. From a script, since a page from a file may load nothing else. */
export function loadRest(): Promise<void> {
  loadingRest ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'rest.js';
    const fail = () => {
      // The next time may be better.
      loadingRest = undefined;
      script.remove();
      reject(new Fault('a part of the page is missing: rest.js could not be loaded'));
    };
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      if (!window.labanRest) return fail();
      parts.rest = window.labanRest;
      if (worker) give(worker, 'rest');
      resolve();
    });
    document.head.append(script);
  });
  return loadingRest;
}

/** Asks a worker that has the whole engine. The one before was in the middle of something, and its memory with it. */
async function askAgain(job: Job): Promise<void> {
  endWorker();
  try {
    await loadRest();
  } catch (error) {
    if (current !== job) return;
    current = undefined;
    job.reject(error as Error);
    return next();
  }
  if (current !== job) return;
  worker = startWorker();
  worker.postMessage({ id: job.id, request: job.request, repeat: job.repeat });
}

function endWorker(): void {
  worker?.terminate();
  worker = undefined;
}

function next(): void {
  const job = waiting.shift();
  current = job;
  tell();
  if (!job) return;
  worker ??= startWorker();
  worker.postMessage({ id: job.id, request: job.request, repeat: job.repeat });
}

/** Stops everything, or everything of one group. */
export function stop(group?: string): void {
  const is = (job: Job) => group === undefined || job.group === group;
  const dropped = waiting.filter(is);
  waiting = waiting.filter((job) => !is(job));
  const job = current;
  if (job && is(job)) {
    current = undefined;
    endWorker();
    dropped.push(job);
    // The next worker gets ready while nobody waits for it.
    worker = startWorker();
    next();
  }
  for (const one of dropped) one.reject(new Stopped('stopped'));
}

function send(group: string, request: unknown, repeat?: number): Promise<{ text: string; milliseconds: number }> {
  return new Promise((resolve, reject) => {
    count += 1;
    waiting.push({ id: count, group, request: written(request), resolve, reject, ...(repeat && { repeat }) });
    if (!current) next();
  });
}

/** JSON in which half of a pair of surrogates, which is not text, is a replacement character of the same length. */
function written(request: unknown): string {
  return JSON.stringify(request, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** Asks the engine. A group is what is asked together and stopped together. */
export async function ask<D extends keyof Answers>(group: string, request: Request<D>): Promise<Answers[D]> {
  const { text } = await send(group, request);
  const answer = JSON.parse(text) as Answers[D] & { error?: string };
  if (answer.error !== undefined) throw new Fault(answer.error);
  return answer;
}

/** How long the engine takes for a request, in milliseconds: the average of so many. */
export async function measure(request: Request, repeat: number): Promise<number> {
  const { milliseconds } = await send('measure', request, repeat);
  return milliseconds / repeat;
}

/** Gets the first worker ready before somebody asks. */
export function warm(): void {
  worker ??= startWorker();
}
