// What the preview shows, and what it and the extension say to each other. Pure, and shared by both sides.

import { type Kind, type Preview, isKind, target } from './protocol.js';

/** What is to be seen. */
export interface View {
  readonly kind: Kind;
  readonly title: string;
  /** The address of a picture, with the picture in it. */
  readonly image?: string;
  readonly text?: string;
  readonly message?: string;
  /** What is shown is of an earlier state of the text, since nothing can be shown of this one. */
  readonly stale: boolean;
}

/** What the extension says to the page. */
export interface Show {
  readonly type: 'show';
  readonly view: View;
  /** What the page remembers, so that it can be brought back after a restart. */
  readonly state: State;
}

export interface State {
  readonly uri: string;
  readonly kind: Kind;
}

/** What the page says to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'copy' }
  | { readonly type: 'kind'; readonly kind: Kind };

/** What comes from the page, if it is a message that it may send. */
export function fromPage(value: unknown): FromPage | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  if (value.type === 'ready' || value.type === 'copy') return { type: value.type };
  if (value.type === 'kind' && 'kind' in value && isKind(value.kind)) return { type: 'kind', kind: value.kind };
  return undefined;
}

/** What a page remembered. */
export function stateOf(value: unknown): State | undefined {
  if (typeof value !== 'object' || value === null || !('uri' in value) || !('kind' in value)) return undefined;
  const of = target(value.uri);
  return of !== undefined && isKind(value.kind) ? { uri: of.uri, kind: value.kind } : undefined;
}

/** The pictures adapt to the system; here they adapt to the editor. */
export function forTheme(svg: string, dark: boolean): string {
  return svg.replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, dark ? '@media all' : '@media not all');
}

/** A picture as an address. In an image, nothing that is in it can run or load anything. */
export function imageAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** What is seen next. While nothing can be shown of a text, what was seen before stays, if it was of the same kind and text. */
export function nextView(before: View | undefined, kind: Kind, found: Preview | undefined, dark: boolean): View {
  const title = found?.title ?? '';
  const shown = {
    ...(found?.svg === undefined ? {} : { image: imageAddress(forTheme(found.svg, dark)) }),
    ...(found?.text === undefined ? {} : { text: found.text }),
  };
  const message = found === undefined ? 'There is nothing to show here.' : found.message;
  if (found !== undefined && Object.keys(shown).length > 0) {
    return { kind, title, ...shown, ...(message === undefined ? {} : { message }), stale: false };
  }
  const why = message ?? 'There is nothing to show here.';
  if (before?.kind === kind && found !== undefined && (before.image ?? before.text) !== undefined) {
    return { ...before, title: title || before.title, message: why, stale: true };
  }
  return { kind, title, message: why, stale: false };
}
