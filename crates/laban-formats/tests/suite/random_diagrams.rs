//! Random sequence diagrams, in Mermaid and in PlantUML.

use laban::generate::SeededRng;
use laban_formats::Format;

/// A random diagram.
pub(crate) struct Drawn {
    pub(crate) text: String,
    /// Whether some alternative has three branches or more.
    pub(crate) has_many_branches: bool,
    /// Whether arrows may be needed where there is no place for them: a `break` in a `loop`, an arrow with two heads.
    pub(crate) is_tangled: bool,
}

struct Pen<'a> {
    rng: &'a mut SeededRng,
    format: Format,
    drawn: Drawn,
    names: &'static [&'static str],
    step: &'static str,
    newline: &'static str,
    arrows: &'static [&'static str],
    number: u32,
    budget: u32,
    loops: u32,
}

impl Drawn {
    pub(crate) fn random(rng: &mut SeededRng, format: Format) -> Drawn {
        let names: &[&str] = match (format, rng.below_u32(3)) {
            (Format::PlantUml, 0) => &["\"The User\"", "web", "\"db 1\"", "q.w"],
            (Format::Mermaid, 0) => &["The User", "web", "db-1", "q/w"],
            (_, 1) => &["A", "B", "C", "D", "E"],
            _ => &["p", "q", "r"],
        };
        let steps = ["  ", "\t", "", "    "];
        let arrows: &[&str] = match (format, rng.below_u32(2)) {
            (Format::PlantUml, 0) => &[" -> ", " --> ", "->", " ->> "],
            (Format::PlantUml, _) => &["->", "-->"],
            (_, 0) => &["->>", "-->>", "-)"],
            _ => &[" ->> ", " -->> "],
        };
        let step = steps[rng.index(steps.len()).unwrap_or(0)];
        let newline = if rng.below_u32(8) == 0 { "\r\n" } else { "\n" };
        let budget = 3 + rng.below_u32(9);
        let drawn = Drawn { text: String::new(), has_many_branches: false, is_tangled: false };
        let mut pen = Pen { rng, format, drawn, names, step, newline, arrows, number: 0, budget, loops: 0 };
        let is_plantuml = format == Format::PlantUml;
        pen.line(0, if is_plantuml { "@startuml" } else { "sequenceDiagram" });
        let depth = usize::from(!is_plantuml);
        pen.message(depth);
        pen.items(depth, 3);
        if is_plantuml {
            pen.line(0, "@enduml");
        }
        let mut drawn = pen.drawn;
        if !is_plantuml && rng.below_u32(3) == 0 {
            drawn.text.truncate(drawn.text.trim_end().len());
        }
        drawn
    }
}

impl Pen<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.drawn.text.push_str(&self.step.repeat(depth));
        self.drawn.text.push_str(text);
        self.drawn.text.push_str(self.newline);
    }

    fn name(&mut self) -> &'static str {
        self.names[self.rng.index(self.names.len()).unwrap_or(0)]
    }

    fn message(&mut self, depth: usize) {
        self.number += 1;
        let from = self.name();
        let mut to = self.name();
        if from == to && self.rng.below_u32(6) > 0 {
            to = self.names.iter().find(|name| **name != from).copied().unwrap_or(to);
        }
        let arrow = self.arrows[self.rng.index(self.arrows.len()).unwrap_or(0)];
        if self.rng.below_u32(60) == 0 {
            let both = if self.format == Format::PlantUml { "<->" } else { "<<->>" };
            self.drawn.is_tangled |= from != to;
            self.line(depth, &format!("{from} {both} {to}: m{}", self.number));
        } else if self.format == Format::PlantUml && self.rng.below_u32(6) == 0 {
            self.line(depth, &format!("{to} <- {from} : m{}", self.number));
        } else {
            self.line(depth, &format!("{from}{arrow}{to}: m{}", self.number));
        }
    }

    fn items(&mut self, depth: usize, deeper: u32) {
        let count = 1 + self.rng.below_u32(3);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let kind = if deeper == 0 { 0 } else { self.rng.below_u32(12) };
            let guard = ["it works", "x > 3", "", "all of them"][self.rng.below_u32(4) as usize];
            match kind {
                5 | 6 | 11 => self.fragment(depth, deeper, "alt", guard, 2),
                7 => self.fragment(depth, deeper, "opt", guard, 1),
                8 => {
                    self.loops += 1;
                    self.fragment(depth, deeper, "loop", guard, 1);
                    self.loops -= 1;
                }
                9 => {
                    self.drawn.is_tangled |= self.loops > 0;
                    self.fragment(depth, deeper, "break", guard, 1);
                }
                10 if self.format == Format::PlantUml => self.fragment(depth, deeper, "group", guard, 1),
                10 => self.fragment(depth, deeper, "rect", "rgb(1, 2, 3)", 1),
                4 => {
                    let name = self.name();
                    let note = if self.format == Format::PlantUml { "note over" } else { "Note over" };
                    self.line(depth, &format!("{note} {name}: alt A->>B: end"));
                }
                _ => self.message(depth),
            }
        }
    }

    fn fragment(&mut self, depth: usize, deeper: u32, word: &str, guard: &str, branches: u32) {
        self.line(depth, format!("{word} {guard}").trim_end());
        self.message(depth + 1);
        self.items(depth + 1, deeper - 1);
        let more = if branches == 2 { self.rng.below_u32(5) } else { 0 };
        let others = [0, 1, 1, 2, 1][more as usize] * u32::from(branches == 2);
        self.drawn.has_many_branches |= others > 1;
        for other in 0..others {
            let guard = if guard.is_empty() { String::new() } else { format!(" other {other}") };
            self.line(depth, &format!("else{guard}"));
            if self.rng.below_u32(5) > 0 {
                self.message(depth + 1);
                self.items(depth + 1, deeper - 1);
            }
        }
        self.line(depth, "end");
    }
}
