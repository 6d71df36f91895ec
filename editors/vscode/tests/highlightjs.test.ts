// The definitions for highlight.js give each token of all examples the class that it should have. The version is that of mdBook.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { type Class, classified, place, repository } from './tokens.js';

/** What each class of highlight.js stands for; operators and punctuation have none. */
const CLASSES: Readonly<Record<string, Class>> = {
  'hljs-comment': 'comment',
  'hljs-keyword': 'keyword',
  'hljs-number': 'number',
  'hljs-string': 'expression',
  'hljs-symbol': 'label',
  'hljs-title': 'procedure',
  'hljs-type': 'process',
};

interface Highlighter {
  highlight(language: string, code: string): { value: string; language: string };
  getLanguage(name: string): unknown;
}

interface Block {
  readonly className: string;
  textContent: string;
  innerHTML: string;
}

function characters(html: string): { text: string; classes: (string | undefined)[] } {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  const classes: (string | undefined)[] = [];
  const open: string[] = [];
  let text = '';
  for (const [piece, name, entity] of html.matchAll(/<span class="([^"]*)">|<\/span>|&([^;]*);|[^<&]+/g)) {
    if (name !== undefined) open.push(name);
    else if (piece === '</span>') open.pop();
    else {
      const part = entity === undefined ? piece : (named[entity] ?? '?');
      text += part;
      classes.push(...Array<string | undefined>(part.length).fill(open.at(-1)));
    }
  }
  return { text, classes };
}

describe('the definitions for highlight.js', () => {
  const require = createRequire(import.meta.url);
  const hljs = require('highlight.js') as Highlighter;
  const blocks: Block[] = [];

  before(() => {
    assert.equal(hljs.getLanguage('net'), undefined);
    assert.equal(hljs.getLanguage('chor'), undefined);
    const script = readFileSync(join(repository, 'editors/highlightjs/laban.js'), 'utf8');
    const highlightBlock = (block: Block) => blocks.push(block);
    const context = createContext({
      hljs: Object.assign(Object.create(hljs) as Highlighter, { highlightBlock }),
      document: {
        querySelectorAll: (selector: string) => {
          assert.equal(selector, 'code.language-net, code.language-chor');
          return [{ className: 'language-net' }, { className: 'language-chor' }];
        },
      },
    });
    runInContext(script, context);
  });

  it('colour the blocks of a page that is there already', () => {
    assert.deepEqual(
      blocks.map((block) => block.className),
      ['language-net', 'language-chor'],
    );
  });

  it('give every token the class that it should have', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const { name, language, text, tokens } of classified().all) {
      const shown = characters(hljs.highlight(language, text).value);
      assert.equal(shown.text, text);
      count += tokens.length;
      for (const [start, end, is] of tokens) {
        const expected = is === 'operator' || is === 'punctuation' ? undefined : is;
        for (let at = start; at < end; at += 1) {
          const found = shown.classes[at];
          if ((found === undefined ? undefined : CLASSES[found]) !== expected && /\S/.test(text[at] ?? '')) {
            const where = `${name}:${place(text, start)}`;
            wrong.push(`${where}: ${JSON.stringify(text.slice(start, end))} is ${is}, not ${found ?? 'nothing'}`);
            break;
          }
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 20), []);
    console.log(`${count} tokens, ${wrong.length} wrong`);
  });
});
