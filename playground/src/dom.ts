// Small helpers for building parts of the page. Text is always set as text: nothing here reads HTML.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

const SVG = 'http://www.w3.org/2000/svg';

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child || child === '') element.append(child as Node | string);
}

/** An element of HTML. Attributes that are functions are listeners. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An element of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** The element of the page with this id, which is known to be there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Whether the user asked for less movement. */
export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** `1 step`, `2 steps`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}

/** A sentence of the engine: what is between backticks is code. */
export function sentence(text: string): Node[] {
  return text.split('`').map((part, index) => (index % 2 ? html('code', {}, part) : document.createTextNode(part)));
}

const ICONS = {
  first: 'M4 3h2v10H4zM13 3v10L6.500 8z',
  back: 'M12 3v10L4 8z',
  forward: 'M4 3v10l8-5z',
  last: 'M10 3h2v10h-2zM3 3v10l6.500-5z',
};

/** A small picture on a button. */
export function icon(name: keyof typeof ICONS): SVGElement {
  return svg('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, svg('path', { d: ICONS[name], fill: 'currentColor' }));
}
