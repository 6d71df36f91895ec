// What screen readers are told: one polite line, which is replaced by the next one.

import { byId } from './dom';

let last = '';

export function announce(text: string): void {
  // The same text twice would not be read again.
  last = text === last ? `${text}\u00a0` : text;
  byId('live').textContent = last;
}
