// The syntaxes for Sublime Text give each token of all examples the scope that it should have, as bat understands them. Not one
// of the tests, since it needs bat: scripts/check-bat.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Class, classified, place, repository } from './tokens.js';

/** The scopes of each class; each class gets a colour of its own. */
const SCOPES: Readonly<Record<Exclude<Class, 'unknown'>, string>> = {
  comment: 'comment.line.double-slash.laban, comment.block.laban',
  expression: 'string.unquoted.expression.laban, string.quoted.double.laban',
  keyword: 'keyword.control, keyword.declaration, keyword.other',
  label: 'variable.other.enummember.label.laban',
  number: 'constant.numeric.bound.laban',
  operator: 'keyword.operator',
  procedure: 'entity.name.function.procedure.laban',
  process: 'entity.name.type.process.laban',
  punctuation: 'punctuation.section, punctuation.separator, punctuation.terminator, punctuation.accessor',
};
const CLASSES = Object.keys(SCOPES) as (keyof typeof SCOPES)[];

function theme(): string {
  const rules = CLASSES.map((is, number) => {
    const colour = `<key>foreground</key><string>#0000${(number + 1).toString(16).padStart(2, '0')}</string>`;
    return `<dict><key>scope</key><string>${SCOPES[is]}</string><key>settings</key><dict>${colour}</dict></dict>`;
  });
  const head = '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>name</key><string>Classes</string>';
  const base = '<dict><key>settings</key><dict><key>foreground</key><string>#ff0000</string></dict></dict>';
  return `${head}<key>settings</key><array>${base}${rules.join('')}</array></dict></plist>`;
}

/** The characters that bat shows, and what their colours stand for. */
function characters(output: string): { text: string; classes: Class[] } {
  const classes: Class[] = [];
  let text = '';
  let current: Class = 'unknown';
  // eslint-disable-next-line no-control-regex -- this is what terminals understand
  for (const [piece, codes] of output.matchAll(/\u001b\[([0-9;]*)m|[^\u001b]+/g)) {
    if (codes === undefined) {
      text += piece;
      classes.push(...Array<Class>(piece.length).fill(current));
    } else {
      const number = /^38;2;0;0;(\d+)$/.exec(codes)?.[1];
      current = (number === undefined ? undefined : CLASSES[Number(number) - 1]) ?? 'unknown';
    }
  }
  return { text, classes };
}

describe('the syntaxes for Sublime Text', () => {
  const bat = process.env['BAT'] ?? 'bat';
  const folder = mkdtempSync(join(tmpdir(), 'laban-bat-'));
  const env = {
    ...process.env,
    BAT_CONFIG_DIR: join(folder, 'config'),
    BAT_CACHE_PATH: join(folder, 'cache'),
    BAT_CONFIG_PATH: join(folder, 'none'),
    COLORTERM: 'truecolor',
  };

  before(() => {
    mkdirSync(join(folder, 'config/themes'), { recursive: true });
    mkdirSync(join(folder, 'texts'));
    writeFileSync(join(folder, 'config/themes/Classes.tmTheme'), theme());
    cpSync(join(repository, 'editors/sublime'), join(folder, 'config/syntaxes'), { recursive: true });
    const built = execFileSync(bat, ['cache', '--build'], { env, encoding: 'utf8' });
    assert.doesNotMatch(built, /error|failed/i);
    const languages = execFileSync(bat, ['--list-languages'], { env, encoding: 'utf8' });
    for (const name of readdirSync(join(repository, 'editors/sublime'))) {
      assert.ok(languages.includes(name.replace('.sublime-syntax', '')), `bat does not know ${name}`);
    }
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('give every token the scope that it should have', () => {
    const wrong: string[] = [];
    let count = 0;
    const { all } = classified();
    for (const { name, language, text, tokens } of all) {
      const path = join(folder, `texts/text.${language}`);
      writeFileSync(path, text);
      const options = ['--color=always', '--style=plain', '--paging=never', '--wrap=never', '--tabs=0', '--theme=Classes'];
      const shown = characters(execFileSync(bat, [...options, path], { env, encoding: 'utf8' }));
      assert.equal(shown.text.trimEnd(), text.trimEnd());
      count += tokens.length;
      for (const [start, end, is] of tokens) {
        for (let at = start; at < end; at += 1) {
          const found = shown.classes[at] ?? 'unknown';
          if (found !== is && /\S/.test(text[at] ?? '')) {
            const where = `${name}:${place(text, start)}`;
            wrong.push(`${where}: ${JSON.stringify(text.slice(start, end))} is ${is}, not ${found}`);
            break;
          }
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 20), []);
    console.log(`${all.length} texts with ${count} tokens, ${wrong.length} wrong`);
  });
});
