import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Preview } from '../src/protocol.js';
import { forTheme, fromPage, imageAddress, nextView, stateOf } from '../src/view.js';

const DARK = '@media (prefers-color-scheme:dark){.a{fill:#fff}}';
const picture: Preview = { kind: 'sequence', title: 'sequence of a.net', svg: '<svg/>', text: 'sequenceDiagram' };

describe('a picture', () => {
  it('follows the theme of the editor, not of the system', () => {
    assert.equal(forTheme(DARK, true), '@media all{.a{fill:#fff}}');
    assert.equal(forTheme(DARK, false), '@media not all{.a{fill:#fff}}');
    assert.equal(forTheme('@media ( prefers-color-scheme: dark ){}', true), '@media ( prefers-color-scheme: dark ){}');
  });

  it('is in its own address, whatever it contains', () => {
    const svg = `<svg title="a#b?c%d&e'f">käufer → 買う</svg>`;
    const address = imageAddress(svg);
    const [head, ...rest] = address.split(',');
    assert.equal(head, 'data:image/svg+xml;charset=utf-8');
    assert.equal(decodeURIComponent(rest.join(',')), svg);
    assert.doesNotMatch(address, /[<>"# ]/);
  });
});

describe('the view', () => {
  it('shows what the server found', () => {
    const view = nextView(undefined, 'sequence', picture, false);
    assert.deepEqual(view, {
      kind: 'sequence',
      title: 'sequence of a.net',
      image: imageAddress('<svg/>'),
      text: 'sequenceDiagram',
      stale: false,
    });
  });

  it('shows a failure with its run', () => {
    const view = nextView(undefined, 'sequence', { ...picture, message: 'p and q are in a deadlock' }, false);
    assert.equal(view.message, 'p and q are in a deadlock');
    assert.equal(view.image, imageAddress('<svg/>'));
    assert.equal(view.stale, false);
  });

  it('keeps the last picture while the text has mistakes', () => {
    const before = nextView(undefined, 'sequence', picture, false);
    const broken: Preview = { kind: 'sequence', title: 'sequence of a.net', message: 'expected `;`' };
    const during = nextView(before, 'sequence', broken, false);
    assert.equal(during.image, before.image);
    assert.equal(during.message, 'expected `;`');
    assert.equal(during.stale, true);
    const after = nextView(during, 'sequence', { ...picture, svg: '<svg>2</svg>' }, false);
    assert.equal(after.image, imageAddress('<svg>2</svg>'));
    assert.equal(after.message, undefined);
    assert.equal(after.stale, false);
  });

  it('keeps no picture of another kind, or of a text that is gone', () => {
    const before = nextView(undefined, 'sequence', picture, false);
    const other = nextView(before, 'automata', { kind: 'automata', title: '', message: 'no' }, false);
    assert.deepEqual(other, { kind: 'automata', title: '', message: 'no', stale: false });
    const gone = nextView(before, 'sequence', undefined, false);
    assert.equal(gone.image, undefined);
    assert.equal(gone.message, 'There is nothing to show here.');
  });
});

describe('messages from the page', () => {
  it('are those that it may send', () => {
    assert.deepEqual(fromPage({ type: 'ready', more: 1 }), { type: 'ready' });
    assert.deepEqual(fromPage({ type: 'copy' }), { type: 'copy' });
    assert.deepEqual(fromPage({ type: 'kind', kind: 'graph' }), { type: 'kind', kind: 'graph' });
    const wrong = [null, undefined, 'ready', {}, { type: 'kind' }, { type: 'kind', kind: 'valueOf' }, { type: 'run' }];
    for (const value of wrong) assert.equal(fromPage(value), undefined);
  });

  it('bring a preview back', () => {
    assert.deepEqual(stateOf({ uri: 'file:///a.net', kind: 'graph' }), { uri: 'file:///a.net', kind: 'graph' });
    for (const value of [null, 1, {}, { uri: '', kind: 'graph' }, { uri: 'file:///a.net', kind: 'x' }]) {
      assert.equal(stateOf(value), undefined);
    }
  });
});
