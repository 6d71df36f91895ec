// The script of the preview's page: shows what the extension says, and says what the reader wants to see.

import type { FromPage, Show, State, View } from './view.js';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: State): void;
};

const editor = acquireVsCodeApi();

function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
  return found;
}

const kind = element('kind', HTMLSelectElement);
const title = element('title', HTMLElement);
const message = element('message', HTMLElement);
const main = element('main', HTMLElement);
const image = element('image', HTMLImageElement);
const text = element('text', HTMLElement);
const copy = element('copy', HTMLElement);
const actual = element('actual', HTMLElement);

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
let zoom = 1;

function resize(): void {
  image.style.width = image.naturalWidth > 0 ? `${image.naturalWidth * zoom}px` : '';
  text.style.fontSize = zoom === 1 ? '' : `${zoom}em`;
  actual.textContent = `${Math.round(zoom * 100)}%`;
}

function setText(target: HTMLElement, value: string | undefined): void {
  target.textContent = value ?? '';
  target.hidden = value === undefined || value === '';
}

function show(view: View): void {
  kind.value = view.kind;
  title.textContent = view.title;
  setText(message, view.message);
  main.classList.toggle('stale', view.stale);
  image.hidden = view.image === undefined;
  image.alt = view.image === undefined ? '' : view.title;
  if (view.image === undefined) image.removeAttribute('src');
  else image.src = view.image;
  // Of a picture, the text is only there to be copied.
  setText(text, view.image === undefined ? view.text : undefined);
  copy.hidden = view.text === undefined;
  resize();
}

image.addEventListener('load', resize);
kind.addEventListener('change', () => {
  editor.postMessage({ type: 'kind', kind: kind.value as View['kind'] });
});
copy.addEventListener('click', () => {
  editor.postMessage({ type: 'copy' });
});
element('smaller', HTMLElement).addEventListener('click', () => {
  zoom = STEPS.filter((step) => step < zoom).at(-1) ?? zoom;
  resize();
});
element('larger', HTMLElement).addEventListener('click', () => {
  zoom = STEPS.find((step) => step > zoom) ?? zoom;
  resize();
});
actual.addEventListener('click', () => {
  zoom = 1;
  resize();
});
window.addEventListener('message', ({ data }: MessageEvent<Show>) => {
  // Only the extension can reach this page, and it says nothing else.
  editor.setState(data.state);
  show(data.view);
});
editor.postMessage({ type: 'ready' });
