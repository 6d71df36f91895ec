// Pictures that the engine has drawn. Their text is read as XML and only what a drawing needs is taken over, so that whatever
// a network contains stays text. Their colours are those of the page.

import { html } from './dom';
import { onTheme, theme } from './theme';

const ALLOWED = new Set(['svg', 'g', 'title', 'desc', 'rect', 'line', 'path', 'text', 'tspan', 'circle', 'ellipse', 'polygon', 'polyline', 'defs', 'marker', 'clipPath']);
const ATTRIBUTES =
  /^(?:class|id|d|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|dx|dy|width|height|viewBox|points|transform|font-size|font-weight|text-anchor|dominant-baseline|role|aria-[a-z]+|data-[a-z0-9-]+|marker-(?:start|end)|ref[XY]|markerWidth|markerHeight|orient|stroke-width|stroke-dasharray|opacity|clip-path)$/;

let sheet: CSSStyleSheet | undefined;

/** The colours of drawings, from the first one; which of them are used is up to the theme of the page. */
function adopt(style: string): void {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  onTheme(() => {
    for (const rule of sheet!.cssRules) {
      if (rule instanceof CSSMediaRule) rule.media.mediaText = theme() === 'dark' ? 'all' : 'not all';
    }
  });
}

function copy(from: Element, document: Document): Element | null {
  if (!ALLOWED.has(from.localName)) return null;
  const to = document.createElementNS('http://www.w3.org/2000/svg', from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.test(name) && !/url\((?!#)/i.test(value)) to.setAttribute(name, value);
  }
  return to;
}

/** The policy of the page forbids styles in what is read, even where they are not used. */
const STYLE = /<style>([^]*?)<\/style>/;
const readSvg = (text: string) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;

/** The picture as an element of the page, or nothing if it is not one. */
export function readPicture(text: string): SVGSVGElement | null {
  // The first style is the engine's: what comes from a network is escaped, and comes later.
  const style = STYLE.exec(text);
  if (style) adopt(style[1]!);
  const root = readSvg(text.replace(STYLE, ''));
  if (root.localName !== 'svg' || root.querySelector('parsererror')) return null;
  const result = copy(root, document)! as SVGSVGElement;
  // A stack of its own: a picture may be nested deeper than the call stack is high.
  const work: Array<[Element, Element]> = [[root, result]];
  for (let next = work.pop(); next; next = work.pop()) {
    const [from, to] = next;
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? '');
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const made = copy(child as Element, document);
        if (made) {
          to.append(made);
          work.push([child as Element, made]);
        }
      }
    }
  }
  return result;
}

/** A picture in a box that scrolls, with buttons that make it smaller and larger. */
export function pictureBox(text: string, label: string): { box: HTMLElement; tools: HTMLElement; picture: SVGSVGElement | null } {
  const picture = readPicture(text);
  if (!picture) {
    return { box: html('p', { class: 'soft' }, 'This picture cannot be shown.'), tools: html('div'), picture: null };
  }
  const width = Number(picture.getAttribute('width')) || 300;
  const height = Number(picture.getAttribute('height')) || 200;
  const box = html('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, picture);
  let scale = 1;
  const zoom = (to: number) => {
    scale = Math.min(4, Math.max(0.05, to));
    picture.setAttribute('width', String(Math.round(width * scale)));
    picture.setAttribute('height', String(Math.round(height * scale)));
  };
  const fit = () => zoom(Math.min(1, (box.clientWidth - 8) / width));
  // A little too wide is made to fit; much too wide would become too small to read.
  requestAnimationFrame(() => {
    const room = box.clientWidth - 8;
    if (room > 0 && width > room && room / width > 0.6) fit();
  });
  const button = (name: string, sign: string, action: () => void) =>
    html('button', { type: 'button', class: 'quiet', 'aria-label': name, title: name, click: action }, sign);
  const tools = html(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': 'Size of the picture' },
    button('Smaller', '−', () => zoom(scale / 1.25)),
    button('Larger', '+', () => zoom(scale * 1.25)),
    button('Original size, 1:1', '1:1', () => zoom(1)),
    button('Fit the width', 'Fit', fit),
  );
  return { box, tools, picture };
}

/** A picture for itself, in the colours of the page rather than those of whoever looks at it. */
export function inThisTheme(text: string): string {
  return text.replace('@media (prefers-color-scheme:dark)', theme() === 'dark' ? '@media all' : '@media not all');
}

/** A picture as PNG: twice the size, so that it is sharp, unless that is too large for a browser. */
export async function asPng(text: string): Promise<Blob> {
  const read = readSvg(text.replace(STYLE, ''));
  const width = Number(read.getAttribute('width')) || 300;
  const height = Number(read.getAttribute('height')) || 200;
  const scale = Math.min(2, 16_000 / Math.max(width, height), Math.sqrt(100_000_000 / (width * height)));
  const address = URL.createObjectURL(new Blob([inThisTheme(text)], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = html('canvas', { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('too large'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
