import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { escapeHtml, page } from '../src/page.js';
import { KINDS } from '../src/protocol.js';
import { extension } from './tokens.js';

const html = page({ source: 'https://here', script: 'https://here/webview.js?a=1&b="2"', nonce: 'abc' });

describe('the page of the preview', () => {
  it('runs only its own script and loads nothing', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
    assert.ok(policy !== undefined);
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal([...html.matchAll(/<script/g)].length, 1);
    assert.match(html, /<script nonce="abc" src="https:\/\/here\/webview.js\?a=1&amp;b=&quot;2&quot;">/);
    assert.doesNotMatch(html, /\son[a-z]+=/);
    assert.doesNotMatch(html, /style="/);
  });

  it('offers all kinds', () => {
    const kinds = [...html.matchAll(/<option value="([a-z]+)">([^<]*)</g)].map((match) => [match[1], match[2]]);
    assert.deepEqual(kinds, Object.entries(KINDS));
  });

  it('has all elements that its script looks for', () => {
    const script = readFileSync(join(extension, 'src/webview.ts'), 'utf8');
    const wanted = [...script.matchAll(/element\('([a-z]+)'/g)].map((match) => match[1]);
    assert.ok(wanted.length >= 10);
    for (const id of wanted) assert.equal(html.split(`id="${String(id)}"`).length, 2, id);
  });

  it('shows special characters as they are', () => {
    assert.equal(escapeHtml(`<a href="x">'&'</a>`), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
    assert.equal(escapeHtml('käufer → 買う'), 'käufer → 買う');
  });
});
