import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addressOfText,
  analysed,
  isKind,
  preview,
  sameAddress,
  targetOfArguments,
  textOf,
  textOfQuery,
} from '../src/protocol.js';

describe('what the server says', () => {
  it('is a preview only if it has a known kind', () => {
    const whole = { kind: 'sequence', title: 'sequence of a.net', text: 'sequenceDiagram', svg: '<svg/>', message: 'no' };
    assert.deepEqual(preview(whole), whole);
    assert.deepEqual(preview({ kind: 'graph', title: 7, svg: null, more: true }), { kind: 'graph', title: 'Graph' });
    for (const wrong of [null, undefined, 'graph', [], {}, { kind: 'toString' }, { kind: 3 }, { title: 'x' }]) {
      assert.equal(preview(wrong), undefined);
    }
  });

  it('is about a text that has an address', () => {
    assert.deepEqual(analysed({ uri: 'file:///a.net', version: 3, summary: 'extractable' }), {
      uri: 'file:///a.net',
      summary: 'extractable',
    });
    assert.deepEqual(analysed({ uri: 'file:///a.net' }), { uri: 'file:///a.net', summary: '' });
    for (const wrong of [null, [], 'file:///a.net', { uri: 1 }]) assert.equal(analysed(wrong), undefined);
  });

  it('has no kinds from the prototype of objects', () => {
    assert.ok(isKind('automata'));
    assert.ok(!isKind('constructor'));
    assert.ok(!isKind('__proto__'));
  });
});

describe('the arguments of a code lens', () => {
  const uri = 'file:///a.net';
  const position = { line: 3, character: 0 };

  it('are an address and maybe a position', () => {
    assert.deepEqual(targetOfArguments([uri]), { uri });
    assert.deepEqual(targetOfArguments([uri, position]), { uri, position });
    assert.deepEqual(targetOfArguments([uri, null]), { uri });
    assert.deepEqual(targetOfArguments([{ uri, position }]), { uri, position });
  });

  it('are not believed', () => {
    for (const wrong of [[], [''], [null], [7, position], [{ position }]]) {
      assert.equal(targetOfArguments(wrong), undefined);
    }
    for (const place of [{ line: -1, character: 0 }, { line: 1.5, character: 0 }, { line: '1', character: 0 }, {}]) {
      assert.deepEqual(targetOfArguments([uri, place]), { uri });
    }
  });
});

describe('a text that shows another one', () => {
  it('is named after it and says what it shows', () => {
    const of = { uri: 'file:///some%20where/two-buyer.net', position: { line: 1, character: 2 } };
    const { path, query } = addressOfText('choreography', of);
    assert.equal(path, '/two-buyer (choreography).chor');
    assert.deepEqual(textOfQuery(query), { kind: 'choreography', of });
    assert.equal(addressOfText('network', { uri: 'untitled:Untitled-1' }).path, '/untitled:Untitled-1 (network).net');
    assert.equal(addressOfText('network', { uri: 'file:///' }).path, '/untitled (network).net');
  });

  it('is nothing if its address was made by somebody else', () => {
    for (const wrong of ['', '{', '7', '[]', '{"kind":"nothing","uri":"file:///a"}', '{"kind":"network"}']) {
      assert.equal(textOfQuery(wrong), undefined);
    }
  });

  it('says why there is nothing to show, as a comment', () => {
    assert.equal(textOf({ kind: 'choreography', title: '', text: 'main { stop }\n' }), 'main { stop }\n');
    assert.equal(textOf({ kind: 'choreography', title: '', message: 'a\nb' }), '// a\n// b\n');
    assert.equal(textOf({ kind: 'network', title: '', message: 'careful', text: 'p' }), '// careful\np');
    assert.equal(textOf(undefined), '// there is nothing to show here\n');
  });
});

describe('addresses', () => {
  it('are the same however they are written', () => {
    assert.ok(sameAddress('file:///c%3A/a%20b.net', 'file:///c:/a b.net'));
    assert.ok(!sameAddress('file:///a.net', 'file:///b.net'));
    assert.ok(sameAddress('file:///100%.net', 'file:///100%.net'));
  });
});
