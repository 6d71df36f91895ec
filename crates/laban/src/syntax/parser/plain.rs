//! Plain networks, read straight from their bytes.
//!
//! Almost all of a network is made of few forms: `q!<x>`, `p?`, `q+l`, `p&{l: …}`, `if x then … else …`, calls and
//! `stop`, with words in the places of names. This reads process after process as long as it finds nothing else, and
//! takes back the first one in which it does: that one and what follows it are left to the parser. So there are no
//! tokens here, no messages and no recovery, and whatever is read here is read by the parser in the same way.

use crate::syntax::lexer::{is_space, is_word};
use crate::syntax::names::{Key, Symbol, Table};
use crate::syntax::tree::{
    ArenaRange, Arm, LocalAction, LocalFork, Main, Name, NetworkTree, Networks, Procedure, Term, TermId, Unit,
};
use crate::syntax::{Span, lexer};

/// Adds the plain processes at the beginning of a text to a tree that has none. Returns where the rest begins, with
/// the `|` before it unless that is the whole text; nothing if there is no rest.
pub(super) fn processes(source: &str, tree: &mut NetworkTree) -> Option<usize> {
    let NetworkTree { names, units, terms, spans, arms, comments, .. } = tree;
    let mut reader = Reader {
        source,
        bytes: source.as_bytes(),
        at: 0,
        names: names.table(),
        terms,
        spans,
        arms,
        comments,
        recent: [(Key::of_word(b""), Symbol(0)); RECENT],
        frames: Vec::new(),
        pending: Vec::new(),
    };
    let mut rest = 0;
    loop {
        let (terms, arms) = (reader.terms.len(), reader.arms.len());
        let (names, comments) = (reader.names.len(), reader.comments.len());
        match reader.process() {
            Some(unit) => units.push(unit),
            None => {
                reader.terms.truncate(terms);
                reader.spans.truncate(terms);
                reader.arms.truncate(arms);
                reader.comments.truncate(comments);
                reader.names.truncate(names);
                return Some(rest);
            }
        }
        if reader.at == reader.bytes.len() {
            return None;
        }
        // The process was followed by a bar.
        rest = reader.at;
        reader.at += 1;
    }
}

/// How many names are remembered at most: a power of two, so that a few bits of a key say where.
const RECENT: usize = 256;

struct Reader<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    names: &'a mut Table,
    terms: &'a mut Vec<Term<Networks>>,
    spans: &'a mut Vec<Span>,
    arms: &'a mut Vec<Arm>,
    comments: &'a mut Vec<Span>,
    /// Some of the short names that were met lately, each where its key says: most names are met again soon.
    recent: [(Key, Symbol); RECENT],
    /// The forks that are open.
    frames: Vec<Frame>,
    /// Their arms so far.
    pending: Vec<Arm>,
}

struct Frame {
    term: u32,
    /// Its first arm.
    arms: u32,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    Then,
    Else,
    Offer,
}

/// A run of letters, digits, `_` and `'`.
#[derive(Clone, Copy)]
struct Word {
    start: u32,
    end: u32,
    /// What it is, if it is short.
    key: Key,
}

impl Word {
    fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    fn is(self, reserved: Key) -> bool {
        self.key == reserved
    }
}

const DEF: Key = Key::of_word(b"def");
const MAIN: Key = Key::of_word(b"main");
const IF: Key = Key::of_word(b"if");
const THEN: Key = Key::of_word(b"then");
const ELSE: Key = Key::of_word(b"else");
const STOP: Key = Key::of_word(b"stop");
const ZERO: Key = Key::of_word(b"0");
const SERVICE: Key = Key::of_word(b"service");

/// What stands for a byte behind the end: it starts nothing.
const END: u8 = 0;

impl Reader<'_> {
    /// The next byte that is neither white space nor in a comment.
    #[inline(always)]
    fn next(&mut self) -> u8 {
        let mut byte = self.bytes.get(self.at).copied().unwrap_or(END);
        // Where there is white space, it is a single space as a rule.
        if byte == b' ' {
            self.at += 1;
            byte = self.bytes.get(self.at).copied().unwrap_or(END);
        }
        match byte > b' ' && byte != b'/' {
            true => byte,
            false => self.next_after_space(),
        }
    }

    /// The same where there may be more white space or a comment.
    #[inline(never)]
    fn next_after_space(&mut self) -> u8 {
        loop {
            match self.bytes.get(self.at) {
                Some(&byte) if is_space(byte) => self.at += 1,
                Some(b'/') if self.comment() => {}
                Some(&byte) => return byte,
                None => return END,
            }
        }
    }

    /// Goes past a comment up to the end of its line, if there is one here.
    #[cold]
    fn comment(&mut self) -> bool {
        if self.bytes.get(self.at + 1) != Some(&b'/') {
            return false;
        }
        let end = lexer::line_end(self.bytes, self.at);
        self.comments.push(Span::new(self.at as u32, end as u32));
        self.at = end;
        true
    }

    /// Goes past this byte, if it comes next.
    #[inline(always)]
    fn eat(&mut self, byte: u8) -> Option<()> {
        // Most often it comes at once.
        if self.bytes.get(self.at) != Some(&byte) && self.next() != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// The next word.
    #[inline(always)]
    fn word(&mut self) -> Option<Word> {
        let mut start = self.at + usize::from(self.bytes.get(self.at) == Some(&b' '));
        // As a rule it begins here, perhaps after a space.
        if !self.bytes.get(start).is_some_and(|&byte| is_word(byte)) {
            if !is_word(self.next()) {
                return None;
            }
            start = self.at;
        }
        let mut end = start + 1;
        while let Some(&byte) = self.bytes.get(end)
            && is_word(byte)
        {
            end += 1;
        }
        if self.bytes.get(end).is_some_and(|&byte| byte >= 0x80) {
            return None;
        }
        self.at = end;
        let key = match self.bytes[start..].first_chunk() {
            Some(&chunk) => Key::at_start(u64::from_le_bytes(chunk), end - start),
            None => Key::of_short(&self.bytes[start..end]).unwrap_or(Key::LONG),
        };
        Some(Word { start: start as u32, end: end as u32, key })
    }

    /// A word as a name, unless it is one of the language.
    #[inline(always)]
    fn name(&mut self, word: Word) -> Option<Name> {
        let place = word.key.spread() % RECENT;
        let (known, symbol) = self.recent[place];
        // No word has the key that they begin with. Long words and words of the language are never among them.
        match known == word.key {
            true => Some(Name { symbol, span: word.span() }),
            false => self.other_name(word, place),
        }
    }

    /// The same for a name that was not met lately.
    #[inline(never)]
    fn other_name(&mut self, word: Word, place: usize) -> Option<Name> {
        if is_reserved(word) {
            return None;
        }
        let symbol = self.names.intern(word.key, word.span(), self.source);
        if word.key != Key::LONG {
            self.recent[place] = (word.key, symbol);
        }
        Some(Name { symbol, span: word.span() })
    }

    /// The next word as a name.
    #[inline(always)]
    fn next_name(&mut self) -> Option<Name> {
        let word = self.word()?;
        self.name(word)
    }

    /// A process, and what must follow it: a bar, or the end.
    fn process(&mut self) -> Option<Unit> {
        let mut name = self.word()?;
        let start = name.start;
        let mut service = None;
        if is_word(self.next()) {
            if !name.is(SERVICE) {
                return None;
            }
            service = Some(name.span());
            name = self.word()?;
        }
        self.eat(b'{')?;
        let name = Some(self.name(name)?);
        let mut unit = Unit { name, service, procedures: Vec::new(), mains: Vec::new(), span: Span::default() };
        loop {
            if self.next() == b'}' {
                break;
            }
            let word = self.word()?;
            if word.is(DEF) && unit.mains.is_empty() {
                let name = self.next_name()?;
                self.eat(b'{')?;
                let body = self.block()?;
                let span = Span::new(word.start, self.at as u32);
                unit.procedures.push(Procedure { name, body, span });
            } else if word.is(MAIN) {
                self.eat(b'{')?;
                let body = self.block()?;
                unit.mains.push(Main { body, span: Span::new(word.start, self.at as u32) });
            } else {
                return None;
            }
        }
        self.at += 1;
        unit.span = Span::new(start, self.at as u32);
        match self.next() {
            END if self.at == self.bytes.len() => Some(unit),
            b'|' if self.bytes.get(self.at + 1) != Some(&b'|') => Some(unit),
            _ => None,
        }
    }

    /// A body and the brace behind it.
    fn block(&mut self) -> Option<TermId> {
        self.frames.clear();
        self.pending.clear();
        let first = TermId(self.terms.len() as u32);
        loop {
            let word = self.word()?;
            let start = word.start;
            // What follows an action is the next term.
            let after = TermId(self.terms.len() as u32 + 1);
            let action = match self.next() {
                b'!' => {
                    self.at += 1;
                    self.eat(b'<')?;
                    let to = self.name(word)?;
                    let expression = self.next_name()?;
                    self.eat(b'>')?;
                    LocalAction::Send { to, expression }
                }
                b'?' => {
                    self.at += 1;
                    LocalAction::Receive { from: self.name(word)? }
                }
                b'+' => {
                    self.at += 1;
                    let to = self.name(word)?;
                    let label = self.next_name()?;
                    // Anything else behind it may make it a different name.
                    self.eat(b';')?;
                    self.push(Term::Act(LocalAction::Select { to, label }, after), Span::new(start, label.span.end));
                    continue;
                }
                b'&' => {
                    self.at += 1;
                    self.eat(b'{')?;
                    let from = self.name(word)?;
                    self.open(LocalFork::Offer { from }, start, Stage::Offer);
                    self.branch()?;
                    continue;
                }
                _ if word.is(IF) => {
                    let condition = self.next_name()?;
                    self.word().filter(|then| then.is(THEN))?;
                    self.open(LocalFork::If { condition }, start, Stage::Then);
                    self.arm(None);
                    continue;
                }
                _ => {
                    let term = match word.is(STOP) || word.is(ZERO) {
                        true => Term::Stop,
                        false => Term::Call(self.name(word)?),
                    };
                    self.push(term, word.span());
                    match self.close(word.end)? {
                        true => continue,
                        false => return Some(first),
                    }
                }
            };
            let span = Span::new(start, self.at as u32);
            self.eat(b';')?;
            self.push(Term::Act(action, after), span);
        }
    }

    fn open(&mut self, fork: LocalFork, start: u32, stage: Stage) {
        let term = self.push(Term::Fork(fork, ArenaRange::default()), Span::new(start, start));
        self.frames.push(Frame { term, arms: self.pending.len() as u32, stage });
    }

    /// Another arm of the innermost fork, whose body is the next term.
    fn arm(&mut self, label: Option<Name>) {
        self.pending.push(Arm { label, body: TermId(self.terms.len() as u32) });
    }

    /// `label:`
    fn branch(&mut self) -> Option<()> {
        let label = self.next_name()?;
        self.eat(b':')?;
        self.arm(Some(label));
        Some(())
    }

    /// A body has ended: finishes the forks that end with it. Returns whether there is another arm; if not, the block
    /// has been closed.
    fn close(&mut self, mut end: u32) -> Option<bool> {
        loop {
            let next = self.next();
            let Some(frame) = self.frames.last_mut() else {
                self.eat(b'}')?;
                return Some(false);
            };
            match (frame.stage, next) {
                (Stage::Then, _) => {
                    frame.stage = Stage::Else;
                    self.word().filter(|word| word.is(ELSE))?;
                    self.arm(None);
                    return Some(true);
                }
                (Stage::Offer, b',') => {
                    self.at += 1;
                    self.branch()?;
                    return Some(true);
                }
                (Stage::Offer, b'}') => {
                    self.at += 1;
                    end = self.at as u32;
                    self.finish(end);
                }
                (Stage::Offer, _) => return None,
                (Stage::Else, _) => self.finish(end),
            }
        }
    }

    /// Moves the arms of the innermost fork to their place.
    fn finish(&mut self, end: u32) {
        let Some(frame) = self.frames.pop() else { return };
        let start = self.arms.len() as u32;
        match self.pending[frame.arms as usize..] {
            [only] => self.arms.push(only),
            ref several => self.arms.extend_from_slice(several),
        }
        self.pending.truncate(frame.arms as usize);
        if let Some(Term::Fork(_, range)) = self.terms.get_mut(frame.term as usize) {
            *range = ArenaRange { start, end: self.arms.len() as u32 };
        }
        if let Some(span) = self.spans.get_mut(frame.term as usize) {
            span.end = end;
        }
    }

    #[inline(always)]
    fn push(&mut self, term: Term<Networks>, span: Span) -> u32 {
        self.terms.push(term);
        self.spans.push(span);
        self.terms.len() as u32 - 1
    }
}

/// Whether a word is one of the language.
#[inline(always)]
fn is_reserved(word: Word) -> bool {
    match word.end - word.start {
        1 => word.is(ZERO),
        2 => word.is(IF),
        3 => word.is(DEF),
        4 => word.is(MAIN) || word.is(THEN) || word.is(ELSE) || word.is(STOP),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
