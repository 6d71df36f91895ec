// A small panel below a button. Escape and a click elsewhere close it, and the focus goes back to the button.

import { byId } from './dom';

/** Enter in a field closes its panel. It must not reach the button as well, which has the focus then and would open it again. */
export function closeOnEnter(fieldId: string, panel: { close(): void }): void {
  byId(fieldId).addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    panel.close();
  });
}

export function popup(buttonId: string, panelId: string, onOpen?: () => void): { close(): void } {
  const button = byId(buttonId);
  const panel = byId(panelId);
  const close = (focus = false) => {
    if (panel.hidden) return;
    panel.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (focus) button.focus();
  };
  button.addEventListener('click', () => {
    if (!panel.hidden) return close();
    onOpen?.();
    panel.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    panel.querySelector<HTMLElement>('button, input, select')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) close(true);
  });
  document.addEventListener('pointerdown', (event) => {
    const target = event.target as Node;
    if (!panel.contains(target) && !button.contains(target)) close();
  });
  panel.addEventListener('focusout', (event) => {
    const to = event.relatedTarget as Node | null;
    if (to && !panel.contains(to) && to !== button) close();
  });
  return { close: () => close(true) };
}
