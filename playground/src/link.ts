// A link that holds everything: the texts and how they are read, compressed in the fragment of the address. Fragments are
// never sent anywhere, so whoever serves the page does not see them.

import { deflate, fromBase64, inflate, toBase64Url } from './bytes';
import type { Options } from './options';

export interface Shared {
  texts: Array<{ name: string; text: string }>;
  options?: Partial<Options>;
  tab?: string;
}

/** Addresses longer than this are cut by some programs that pass them on. */
export const LONG_LINK = 8_000;
/** Browsers refuse addresses far longer than this. */
export const LONGEST_LINK = 1_000_000;
const LONGEST_TEXT = 32_000_000;
const PREFIX = '#1.';

export async function fragmentOf(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared)) as Uint8Array<ArrayBuffer>;
  return PREFIX + toBase64Url(await deflate(bytes));
}

/** What a fragment holds, or nothing if there is none. Throws if it is damaged. */
export async function readFragment(fragment: string): Promise<Shared | null> {
  if (fragment.length < 2) return null;
  if (!fragment.startsWith(PREFIX)) return null;
  const bytes = await inflate(fromBase64(fragment.slice(PREFIX.length)), LONGEST_TEXT);
  const shared = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Shared;
  if (!Array.isArray(shared.texts)) throw new Error('no texts in it');
  for (const one of shared.texts) {
    if (typeof one?.name !== 'string' || typeof one?.text !== 'string') throw new Error('not a text');
  }
  return shared;
}
