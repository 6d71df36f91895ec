// The extension itself, without an editor, talking to the real server over standard input and output.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Api } from '../src/extension.js';
import type { Show } from '../src/view.js';
import { CancellationTokenSource, TextDocument, Uri, open, state, vscode } from './mock/vscode.js';
import { extension as folder, repository } from './tokens.js';

interface Entry {
  activate(context: unknown): Promise<Api>;
  deactivate(): Promise<void>;
}

/** The bundle, with the module of the editor replaced. */
function load(): Entry {
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const original = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : original(request, ...rest));
  try {
    return createRequire(import.meta.url)(join(folder, 'out/extension.js')) as Entry;
  } finally {
    loader._load = original;
  }
}

/** Waits until something is there. The runner of the tests says how long at most. */
async function eventually<Found>(look: () => Found | undefined | false): Promise<Found> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    assert.deepEqual(state.errors, []);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function example(name: string): TextDocument {
  const path = join(repository, 'examples', name);
  const language = name.endsWith('.chor') ? 'laban-chor' : 'laban-net';
  return new TextDocument(Uri.file(path), language, readFileSync(path, 'utf8'));
}

interface Lens {
  readonly command: { readonly title: string; readonly command: string; readonly arguments: unknown[] };
}

async function lenses(document: TextDocument): Promise<Lens[]> {
  const { token } = new CancellationTokenSource();
  const provider = await eventually(() => state.providers.get('CodeLens'));
  for (;;) {
    const found = (await provider['provideCodeLenses']?.(document, token)) as Lens[] | null | undefined;
    if (found != null && found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const codes = (document: TextDocument) =>
  (state.diagnostics.get(document.uri.toString()) ?? []).map(({ code }) => {
    return typeof code === 'object' && code !== null && 'value' in code ? code.value : code;
  });

describe('the extension', { timeout: 120_000 }, () => {
  const entry = load();
  const buyer = example('buyer-seller.net');
  const failing = example('forgotten-else.net');
  let api: Api;

  before(async () => {
    const laban = process.env['LABAN'];
    if (laban === undefined) throw new Error('LABAN is not set: run scripts/check-editors');
    state.configuration['laban.server.path'] = laban;
    api = await entry.activate({ subscriptions: [], extensionUri: Uri.file(folder) });
  });

  after(async () => {
    await entry.deactivate();
  });

  it('starts the server', () => {
    assert.deepEqual(state.errors, []);
    assert.equal(api.client()?.isRunning(), true);
  });

  it('shows diagnostics of a document that is opened, and of each edit', async () => {
    open(failing);
    await eventually(() => codes(failing).includes('deadlock'));
    open(buyer);
    buyer.edit('seller!<title>', 'seler!<title>');
    await eventually(() => codes(buyer).includes('unknown-process'));
    buyer.edit('seler!<title>', 'seller!<title>');
    await eventually(() => codes(buyer).length === 0);
  });

  it('shows the diagram of a code lens beside the text, and follows the edits', async () => {
    const lens = (await lenses(buyer)).find((one) => one.command.command === 'laban.showDiagram');
    assert.ok(lens !== undefined);
    await state.commands.get('laban.showDiagram')?.(...lens.command.arguments);
    const panel = await eventually(() => state.panels[0]);
    assert.equal(panel.viewType, 'laban.preview');
    assert.match(panel.html(), /^<!DOCTYPE html>/);
    panel.send({ type: 'ready' });
    const last = () => (panel.shown.at(-1) as Show | undefined)?.view;
    const first = await eventually(() => (last()?.image === undefined ? undefined : last()));
    assert.equal(first.kind, 'sequence');
    assert.match(decodeURIComponent(first.image ?? ''), /<svg[^]*title/);
    assert.match(first.text ?? '', /^sequenceDiagram/);

    buyer.edit('seller!<title>', 'seller!<isbn>');
    const second = await eventually(() => ((last()?.text ?? '').includes('isbn') ? last() : undefined));
    assert.notEqual(second.image, first.image);

    // While the text has mistakes, the last picture stays.
    buyer.edit('seller!<isbn>;', 'seller!<isbn>');
    const third = await eventually(() => (last()?.stale === true ? last() : undefined));
    assert.equal(third.image, second.image);
    assert.ok((third.message ?? '').length > 0);
    buyer.edit('seller!<isbn>', 'seller!<title>;');
    await eventually(() => last()?.stale === false && last()?.text === first.text);

    panel.send({ type: 'kind', kind: 'communications' });
    await eventually(() => last()?.kind === 'communications' && last()?.image !== undefined);
    panel.send({ type: 'kind', kind: 'nonsense' });
    panel.close();
  });

  it('shows the run to a failure', async () => {
    open(failing);
    const lens = (await lenses(failing)).find((one) => one.command.command === 'laban.showDiagram');
    await state.commands.get('laban.showDiagram')?.(...(lens?.command.arguments ?? []));
    const panel = await eventually(() => state.panels[1]);
    const last = () => (panel.shown.at(-1) as Show | undefined)?.view;
    const view = await eventually(() => (last()?.image === undefined ? undefined : last()));
    assert.match(view.message ?? '', /shipper/);
    assert.equal(view.stale, false);
    panel.close();
  });

  it('shows the choreography as a text', async () => {
    open(buyer);
    const lens = (await lenses(buyer)).find((one) => one.command.command === 'laban.showChoreography');
    await state.commands.get('laban.showChoreography')?.(...(lens?.command.arguments ?? []));
    const text = await eventually(() => state.documents.find((one) => one.uri.scheme === 'laban'));
    assert.equal(text.languageId, 'laban-chor');
    assert.match(text.getText(), /buyer\.title -> seller;/);
  });

  it('says which setting is wrong if the server does not start', async () => {
    state.configuration['laban.server.path'] = join(folder, 'no-such-program');
    await state.commands.get('laban.restartServer')?.();
    assert.ok(state.errors.some((error) => error.includes('"laban.server.path"')), state.errors.join('\n'));
    assert.equal(api.client(), undefined);
  });
});
