// The TextMate grammars give each token of all examples the scope that it should have: what Laban's parser says it is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { type Class, type Classified, classified, extension, place } from './tokens.js';

const SCOPES: Readonly<Record<string, string>> = {
  'source.laban.net': join(extension, 'syntaxes/laban-net.tmLanguage.json'),
  'source.laban.chor': join(extension, 'syntaxes/laban-chor.tmLanguage.json'),
  'markdown.laban.codeblock': join(extension, 'syntaxes/laban-markdown.tmLanguage.json'),
  'text.html.markdown': createRequire(import.meta.url).resolve('tm-grammars/grammars/markdown.json'),
};

/** What a scope says that a token is. */
const CLASSES: readonly (readonly [RegExp, Class])[] = [
  [/^comment\./, 'comment'],
  [/^punctuation\.definition\.comment\./, 'comment'],
  [/^string\.(unquoted\.expression|quoted\.double)\.laban$/, 'expression'],
  [/^keyword\.control\..*\.laban$/, 'keyword'],
  [/^keyword\.operator\..*\.laban$/, 'operator'],
  [/^constant\.numeric\..*\.laban$/, 'number'],
  [/^entity\.name\.function\.procedure\.laban$/, 'procedure'],
  [/^entity\.name\.type\.process\.laban$/, 'process'],
  [/^variable\.other\.enummember\.label\.laban$/, 'label'],
  [/^punctuation\.(section|separator|terminator|accessor)(\..*)?\.laban$/, 'punctuation'],
];

/** What the innermost scope that says something says; a comment in an expression is a comment. */
function classOf(scopes: readonly string[]): Class {
  for (const scope of [...scopes].reverse()) {
    const found = CLASSES.find(([pattern]) => pattern.test(scope));
    if (found !== undefined) return found[1];
  }
  return 'unknown';
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly scopes: readonly string[];
}

/** The pieces of a text, in the order of the text. */
function pieces(grammar: textmate.IGrammar, text: string): Piece[] {
  const found: Piece[] = [];
  let offset = 0;
  let stack = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, stack);
    assert.ok(!stoppedEarly);
    for (const { startIndex, endIndex, scopes } of tokens) {
      const end = offset + Math.min(endIndex, line.length);
      found.push({ start: offset + startIndex, end, scopes });
    }
    stack = ruleStack;
    offset += line.length + 1;
  }
  return found;
}

let registry: textmate.Registry;

before(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => {
      const path = SCOPES[scope];
      // Markdown knows many languages, none of which is needed here.
      if (path === undefined) return Promise.resolve(null);
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(path, 'utf8'), path));
    },
    getInjections: (scope) => (scope === 'text.html.markdown' ? ['markdown.laban.codeblock'] : []),
  });
});

async function grammarOf(scope: string): Promise<textmate.IGrammar> {
  const grammar = await registry.loadGrammar(scope);
  assert.ok(grammar !== null, `there is no grammar ${scope}`);
  return grammar;
}

/** Where the scopes of a text differ from what its tokens are. */
function differences(found: readonly Piece[], { name, text, tokens }: Classified, offset = 0): string[] {
  const wrong: string[] = [];
  let at = 0;
  for (const [start, end, is] of tokens) {
    while ((found[at]?.end ?? Infinity) <= start + offset) at += 1;
    for (let next = at; (found[next]?.start ?? Infinity) < end + offset; next += 1) {
      const piece = found[next];
      // The end of a line in a comment.
      if (piece === undefined || piece.start === piece.end) continue;
      const says = classOf(piece.scopes);
      if (says !== is) {
        const where = `${name}:${place(text, start)}`;
        wrong.push(`${where}: ${JSON.stringify(text.slice(start, end))} is ${is}, not ${piece.scopes.join(' ')}`);
        break;
      }
    }
  }
  return wrong;
}

describe('the TextMate grammars', () => {
  const { all, leftOut, files } = classified();

  it('are compared with all examples that can be parsed', () => {
    assert.deepEqual(leftOut, []);
    assert.ok(files.length >= 70, `there are only ${files.length} files`);
    assert.ok(all.length >= files.length + 200, `there are only ${all.length} texts`);
    const kinds = new Set(all.flatMap((text) => text.tokens.map(([, , is]) => is)));
    assert.equal(kinds.size, 9, [...kinds].join(' '));
  });

  it('give every token the scope that it should have', async () => {
    const grammars = { net: await grammarOf('source.laban.net'), chor: await grammarOf('source.laban.chor') };
    let count = 0;
    const wrong = all.flatMap((text) => {
      count += text.tokens.length;
      return differences(pieces(grammars[text.language], text.text), text);
    });
    assert.deepEqual(wrong.slice(0, 20), []);
    console.log(`${all.length} texts with ${count} tokens, ${wrong.length} wrong`);
  });

  it('colour the blocks of Markdown', async () => {
    const markdown = await grammarOf('text.html.markdown');
    const wrong: string[] = [];
    for (const example of all) {
      const head = `# A title\n\nSome *text*.\n\n\`\`\`${example.language}\n`;
      const tail = '\n```\n\nmain { X } is text again\n';
      const text = head + example.text.replace(/\n$/, '') + tail;
      const found = pieces(markdown, text);
      wrong.push(...differences(found, example, head.length));
      const after = found.filter((piece) => piece.start >= text.length - tail.length + 6);
      assert.ok(after.length > 0);
      assert.ok(
        after.every((piece) => piece.scopes.every((scope) => !scope.includes('laban'))),
        `${example.name}: the block does not end`,
      );
    }
    assert.deepEqual(wrong.slice(0, 20), []);
  });

  it('leave other blocks of Markdown alone', async () => {
    const markdown = await grammarOf('text.html.markdown');
    for (const info of ['network', 'netx', 'chord', 'text', '']) {
      const found = pieces(markdown, `\`\`\`${info}\np { main { stop } }\n\`\`\`\n`);
      assert.ok(
        found.every((piece) => piece.scopes.every((scope) => !scope.includes('laban'))),
        info,
      );
    }
  });

  it('recover at the next process from a brace that is missing', async () => {
    const grammar = await grammarOf('source.laban.net');
    const text = 'p { main { q!<x; stop }\n| service q { def X { p?; X } main { X } }';
    const found = pieces(grammar, text);
    const scopeAt = (word: string, from = 0) => {
      const at = text.indexOf(word, from);
      const piece = found.find((piece) => piece.start <= at && at < piece.end);
      return classOf(piece?.scopes ?? []);
    };
    assert.equal(scopeAt('stop'), 'keyword');
    const next = text.indexOf('|');
    assert.equal(scopeAt('service', next), 'keyword');
    assert.equal(scopeAt('q', next), 'process');
    assert.equal(scopeAt('def', next), 'keyword');
    assert.equal(scopeAt('X', next), 'procedure');
    assert.equal(scopeAt('p?', next), 'process');
  });
});
