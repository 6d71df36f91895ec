// Colours for networks and choreographies on pages that use highlight.js (10 or newer), such as the guide as a book:
// load it after highlight.js. It adds the languages `net` and `chor` and colours the blocks of the page in them.
(function (hljs) {
  'use strict';

  // The letters and digits of most scripts; older versions of highlight.js have no classes of Unicode.
  var LETTER = "[\\w'\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3004-\\ud7ff\\uf900-\\uffdc]";
  var NAME = LETTER + '+';
  var END = '(?!' + LETTER + ')';
  // White space and comments up to the next token.
  var GAP = '(?:\\s|//.*|/\\*(?:[^*]|\\*(?!/))*\\*/)*';
  // What ends a value that is not complete.
  var BROKEN = '[;)\\]}]|(?:then|else|if|def|main)' + END;
  // The rest of a value up to another arrow, with brackets in brackets in brackets.
  var FLAT = '[(\\[{](?:[^()\\[\\]{}"]|"[^"\\n]*"|@)*[)\\]}]';
  var BALANCED = FLAT.replace('@', FLAT.replace('@', FLAT.replace('|@', '')));
  var VALUE = '(?:[^-~;()\\[\\]{}"/]|-(?!>)|~(?!>)|/(?![*/])|/\\*(?:[^*]|\\*(?!/))*\\*/|"[^"\\n]*"|' + BALANCED + ')*';

  function word(words, follows) {
    return { className: 'keyword', begin: '(?:' + words + ')' + END + (follows || '') };
  }

  function name(className, follows) {
    return { className: className, begin: NAME + (follows ? '(?=' + GAP + follows + ')' : '') };
  }

  // What both languages are made of.
  function common() {
    var comments = [hljs.COMMENT('//', '$'), hljs.COMMENT('/\\*', '\\*/')];
    // Any balanced text.
    var text = comments.concat([{ begin: '"[^"\\n]*"' }]);
    [
      ['\\(', '\\)'],
      ['\\[', '\\]'],
      ['\\{', '\\}'],
    ].forEach(function (pair) {
      text.push({ begin: pair[0], end: pair[1], contains: text });
    });
    // A name, wherever there is one, with comments before it.
    function then(mode, className) {
      mode.starts = {
        end: '(?=[^\\s/])',
        contains: comments.concat([{ className: className, begin: NAME, endsParent: true }]),
      };
      return mode;
    }
    var condition = text.concat([{ begin: '(?!' + BROKEN + ')' + NAME }]);
    text.push({ begin: NAME });
    return {
      comments: comments,
      text: text,
      condition: condition,
      then: then,
      head: comments.concat([then(word('def'), 'title'), word('main')]),
    };
  }

  function network() {
    var parts = common();
    // An arrow is one piece, so that its second half closes nothing.
    var value = parts.text.concat([{ begin: '->' }]);
    value.push({ begin: '<', end: '>', contains: value });
    var body = parts.head.concat([
      {
        className: 'keyword',
        begin: 'if' + END,
        starts: { className: 'string', end: '(?=' + BROKEN + ')', contains: parts.condition },
      },
      word('then|else|stop|0'),
      word('choose|any', '(?=' + GAP + '\\{)'),
      word('idle', '(?=' + GAP + LETTER + ')'),
      name('symbol', ':'),
      name('type', '[!?+&]'),
      name('title'),
      parts.then({ begin: '[+&]' }, 'symbol'),
      { begin: '<', end: '>', contains: [{ className: 'string', begin: '(?=[^>])', end: '(?=>)', contains: value }] },
    ]);
    var block = { begin: '\\{', end: '\\}', contains: body };
    body.push(block);
    return {
      name: 'Laban network',
      contains: [
        {
          begin: 'channels' + END + '(?!' + GAP + '\\{)',
          returnBegin: true,
          end: ';',
          contains: parts.comments.concat([
            word('channels', '(?!' + GAP + '->)'),
            name('type', '->'),
            parts.then({ begin: '->' }, 'type'),
            word('queue|rendezvous'),
            { className: 'number', begin: '[0-9]+' + END },
          ]),
        },
        word('service', '(?=' + GAP + LETTER + ')'),
      ].concat(parts.head, [
        name('type'),
        { begin: '\\{', end: '\\}', contains: parts.head.concat([block]) },
      ]),
    };
  }

  function choreography() {
    var parts = common();
    var value = parts.condition;
    var body = parts.head.concat([
      {
        className: 'keyword',
        begin: 'if' + END,
        starts: {
          end: '(?=' + BROKEN + ')',
          contains: parts.comments.concat([
            { className: 'type', begin: '(?!' + BROKEN + ')' + NAME },
            { begin: '\\.', starts: { className: 'string', end: '(?=' + BROKEN + ')', contains: value } },
          ]),
        },
      },
      word('then|else|stop|0'),
      word('any', '(?=' + GAP + '\\{)'),
      parts.then(word('choose', '(?=' + GAP + LETTER + ')(?!' + GAP + 'else' + END + ')'), 'type'),
      name('type', '(?:\\.|->|~>|<~)'),
      name('title'),
      {
        begin: '\\.',
        starts: {
          className: 'string',
          // A `~>` is part of the value if another arrow follows.
          end: '(?=->|~>(?!' + VALUE + '[-~]>)|' + BROKEN + ')',
          contains: value,
        },
      },
      parts.then({ begin: '->|~>|<~' }, 'type'),
      { begin: '\\[', end: '\\]', contains: parts.comments.concat([name('symbol')]) },
    ]);
    var block = { begin: '\\{', end: '\\}', contains: body };
    body.push(block);
    return { name: 'Laban choreography', contains: parts.head.concat([block]) };
  }

  hljs.registerLanguage('net', network);
  hljs.registerLanguage('chor', choreography);

  // A book colours its blocks before this is loaded, and leaves those alone whose language it does not know.
  if (typeof document !== 'undefined') {
    document.querySelectorAll('code.language-net, code.language-chor').forEach(function (block) {
      (hljs.highlightElement || hljs.highlightBlock)(block);
    });
  }
})(/* global hljs */ hljs);
