// The clipboard, files to keep, and short messages about both.

import { announce } from './announce';
import { byId, html } from './dom';

let hiding: ReturnType<typeof setTimeout> | undefined;

/** Says something for a moment, to eyes and ears. */
export function say(text: string): void {
  const toast = byId('toast');
  toast.textContent = text;
  toast.hidden = false;
  announce(text);
  clearTimeout(hiding);
  hiding = setTimeout(() => (toast.hidden = true), 4000);
}

/** Copies a text; where the browser does not allow that, as from some files, with the old command. */
export async function copyText(text: string, what: string): Promise<boolean> {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = html('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
    const before = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
  say(done ? `${what} copied` : `The browser does not allow copying`);
  return done;
}

/** Offers a file to keep. */
export function save(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const address = URL.createObjectURL(blob);
  const link = html('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  announce(`${name} saved`);
}
