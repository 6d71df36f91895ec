// Colours for networks and choreographies. It knows words and signs, not the grammar: that is the engine's.

import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';

interface State {
  /** Inside of a block comment. */
  comment: boolean;
  /** How many `<` are open: what they hold is a value. */
  angles: number;
  /** The last word was `def`. */
  defines: boolean;
  /** After `+`, `&` or `[`: a label. */
  label: boolean;
  /** After a dot or `if`, up to `->`, `~>` or `then`: an expression. */
  expression: boolean;
}

const KEYWORDS = new Set(['def', 'main', 'if', 'then', 'else', 'stop', '0', 'service', 'idle', 'choose', 'any', 'channels', 'queue', 'rendezvous']);
const WORD = /^[\p{L}\p{N}_']+/u;

const parser: StreamParser<State> = {
  name: 'laban',
  startState: () => ({ comment: false, angles: 0, defines: false, label: false, expression: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.comment = false;
      } else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = true;
      return 'comment';
    }
    if (stream.match(/^"[^"]*"/)) return 'string';
    if (stream.match('->') || stream.match('~>') || stream.match('<~')) {
      state.expression = false;
      return 'operator';
    }
    const word = stream.match(WORD) as RegExpMatchArray | null;
    if (word) {
      const label = state.label;
      const defines = state.defines;
      state.label = false;
      state.defines = word[0] === 'def';
      if (state.angles > 0) return 'string';
      if (defines) return 'variableName.definition';
      if (KEYWORDS.has(word[0])) {
        state.expression = word[0] === 'if';
        return 'keyword';
      }
      if (label) return 'labelName';
      if (state.expression) return 'string';
      // A label of an offer comes before a colon; a procedure is called where a word ends a behaviour.
      if (stream.match(/^\s*:/, false)) return 'labelName';
      if (stream.match(/^\s*(?:[};,]|$)/, false) && /^\p{Lu}/u.test(word[0])) return 'variableName.definition';
      return 'variableName';
    }
    const sign = stream.next();
    if (sign === '<' && (state.angles > 0 || stream.string[stream.start - 1] === '!' || /[\p{L}\p{N}_']/u.test(stream.string[stream.start - 1] ?? ''))) {
      state.angles += 1;
    } else if (sign === '>' && state.angles > 0) {
      state.angles -= 1;
    } else if (sign === '+' || sign === '[') {
      state.label = state.angles === 0;
    } else if (sign === '&') {
      state.label = !stream.match(/^\s*\{/, false);
    } else if (sign === '.' && state.angles === 0) {
      state.expression = true;
      return 'operator';
    } else if (sign === ';' || sign === '{' || sign === '}') {
      state.expression = false;
      state.angles = 0;
      state.label = false;
    }
    return state.angles > 0 && sign !== '<' ? 'string' : 'operator';
  },
  blankLine(state) {
    state.label = false;
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['{', '(', '[', '"'] },
  },
};

/** For networks and choreographies alike. */
export const laban = () => new LanguageSupport(StreamLanguage.define(parser));
