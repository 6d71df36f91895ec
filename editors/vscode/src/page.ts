// The page of the preview, as text. Pure. What it shows comes later, as messages: see webview.ts.

import { KINDS } from './protocol.js';

export interface PageOptions {
  /** Where the page may load styles and scripts from. */
  readonly source: string;
  /** The address of the bundled webview.ts. */
  readonly script: string;
  /** A word that nobody can guess: only what bears it runs. */
  readonly nonce: string;
}

/** A text as text of HTML, in an attribute or outside. */
export function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}

/** The whole page. */
export function page({ source, script, nonce }: PageOptions): string {
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src 'nonce-${nonce}'`,
    `script-src ${source} 'nonce-${nonce}'`,
  ].join('; ');
  const kinds = Object.entries(KINDS).map(
    ([kind, title]) => `<option value="${escapeHtml(kind)}">${escapeHtml(title)}</option>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Laban</title>
<style nonce="${escapeHtml(nonce)}">${STYLE}</style>
</head>
<body>
<header>
<select id="kind" aria-label="What to show">${kinds.join('')}</select>
<span class="zoom" role="group" aria-label="Zoom">
<button id="smaller" title="Smaller">−</button>
<button id="actual" title="Actual size">100%</button>
<button id="larger" title="Larger">+</button>
</span>
<button id="copy" title="Copy as text" hidden>Copy</button>
<span id="title"></span>
</header>
<p id="message" role="status" hidden></p>
<main id="main"><img id="image" alt="" hidden><pre id="text" tabindex="0" hidden></pre></main>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>
`;
}

const STYLE = `
body { margin: 0; padding: 0; color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: 8px; align-items: center; padding: 6px 12px;
  background: var(--vscode-editor-background); border-bottom: 1px solid var(--vscode-panel-border, #8884); }
select, button { font: inherit; color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background);
  border: 1px solid var(--vscode-dropdown-border, #8884); border-radius: 2px; padding: 2px 6px; }
button { cursor: pointer; }
.zoom { white-space: nowrap; }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
#title { flex: 1; min-width: 0; opacity: 0.8; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
#message { margin: 0; padding: 8px 12px; white-space: pre-wrap;
  background: var(--vscode-inputValidation-warningBackground); color: var(--vscode-inputValidation-warningForeground); }
main { padding: 12px; overflow: auto; }
main.stale { opacity: 0.45; }
pre { margin: 0; font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
[hidden] { display: none !important; }
`;
