// Dark or light: as the system says, until the user chooses. Pictures follow the page.

import { byId } from './dom';

type Theme = 'dark' | 'light';
const dark = matchMedia('(prefers-color-scheme: dark)');
const KEY = 'laban-theme';

function remembered(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'dark' || theme === 'light' ? theme : null;
  } catch {
    return null; // Storage may be forbidden, as in some browsers for files.
  }
}

let chosen: Theme | null = remembered();
const listeners: Array<() => void> = [];

export function theme(): Theme {
  return chosen ?? (dark.matches ? 'dark' : 'light');
}

/** Calls this now and whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
  listener();
}

function show(): void {
  document.documentElement.dataset['theme'] = theme();
  const button = byId('theme');
  const other = theme() === 'dark' ? 'light' : 'dark';
  button.setAttribute('aria-label', `Use ${other} colours`);
  button.title = `Use ${other} colours`;
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  dark.addEventListener('change', show);
  byId('theme').addEventListener('click', () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    chosen = next === (dark.matches ? 'dark' : 'light') ? null : next;
    try {
      if (chosen) localStorage.setItem(KEY, chosen);
      else localStorage.removeItem(KEY);
    } catch {
      // Then it is forgotten when the page is closed.
    }
    show();
  });
  show();
}
