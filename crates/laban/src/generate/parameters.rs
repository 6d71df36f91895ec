//! The parameters of a choreography, and the test sets of the paper.

use crate::random::SeededRng;
use std::fmt::{self, Display, Formatter};

/// The parameters of a choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// How many actions it has before amendment, conditionals among them. What several branches share counts once.
    pub size: u32,
    /// How many processes there are to choose from. In a small choreography some may take no part.
    pub processes: u32,
    /// How many of the actions are conditionals.
    pub ifs: u32,
    /// How many procedures it has besides `main`.
    pub procedures: u32,
    /// How many of the actions are races, besides the conditionals. If there are any, some of the conditionals are
    /// choices and some labels have a value with them.
    pub races: u32,
    /// How many of the interactions go through a queue; the others are sent and received at once.
    pub queues: u32,
}

impl Parameters {
    /// Parameters in the order in which the paper lists them.
    pub const fn new(size: u32, processes: u32, ifs: u32, procedures: u32) -> Self {
        Parameters { size, processes, ifs, procedures, races: 0, queues: 0 }
    }

    /// The same with so many races.
    pub const fn with_races(self, races: u32) -> Self {
        Parameters { races, ..self }
    }

    /// The same with so many interactions through queues.
    pub const fn with_queues(self, queues: u32) -> Self {
        Parameters { queues, ..self }
    }

    /// Why there is no choreography like this, if there is none.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.size as usize >= MOST_TERMS || self.procedures as usize >= MOST_TERMS {
            return Err(Refusal::TooLarge);
        }
        if self.ifs > self.size {
            return Err(Refusal::TooManyConditionals);
        }
        if self.races > self.size - self.ifs {
            return Err(Refusal::TooManyRaces);
        }
        if self.queues > 0 && self.races > 0 {
            return Err(Refusal::RacesAndQueues);
        }
        if self.queues > self.size - self.ifs {
            return Err(Refusal::TooManyQueues);
        }
        if self.procedures > self.size {
            return Err(Refusal::TooManyProcedures);
        }
        let needed = if self.size > self.ifs { 2 } else { self.size.min(1) };
        if self.processes < needed {
            return Err(Refusal::TooFewProcesses);
        }
        Ok(())
    }
}

impl Display for Parameters {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}-{}-{}", self.size, self.processes, self.ifs, self.procedures)?;
        if self.races > 0 {
            write!(out, "-{}", self.races)?;
        }
        if self.queues > 0 { write!(out, "-q{}", self.queues) } else { Ok(()) }
    }
}

/// A choreography that would take more terms to write down is not made: another one is.
pub const MOST_TERMS: usize = 1 << 22;
/// How many choreographies are thrown away before it is given up.
pub const MOST_ATTEMPTS: u32 = 1 << 28;

/// Why there is no choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Conditionals are actions, and there are fewer of these.
    TooManyConditionals,
    /// Races are actions, and there are fewer of these besides the conditionals.
    TooManyRaces,
    /// Who takes what is known only if nobody takes whichever comes first.
    RacesAndQueues,
    /// What goes through a queue is an interaction, and there are fewer of these.
    TooManyQueues,
    /// Each procedure needs an action.
    TooManyProcedures,
    /// An interaction needs two processes, a conditional needs one.
    TooFewProcesses,
    /// There would be more than [`MOST_TERMS`].
    TooLarge,
    /// None was found in [`MOST_ATTEMPTS`] in which all procedures can be reached.
    TooRare,
    /// One was made, but it could not be projected even with selections added; it never happened.
    Unprojectable,
}

impl Display for Refusal {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Refusal::TooManyConditionals => "there cannot be more conditionals than actions",
            Refusal::TooManyRaces => "there cannot be more conditionals and races than actions",
            Refusal::RacesAndQueues => "there cannot be both races and queues",
            Refusal::TooManyQueues => {
                "there cannot be more interactions through queues than actions that are not conditionals"
            }
            Refusal::TooManyProcedures => {
                "each procedure needs an action: there cannot be more procedures than actions"
            }
            Refusal::TooFewProcesses => "an interaction needs two processes, and a conditional needs one",
            Refusal::TooLarge => "the choreography would be too large",
            Refusal::TooRare => {
                "almost no choreography with so many procedures and so few conditionals can reach all of them"
            }
            Refusal::Unprojectable => "the choreography cannot be amended",
        })
    }
}

impl std::error::Error for Refusal {}

/// A test set: choreographies that differ in one or two parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// A short name, for files and options.
    pub name: &'static str,
    /// What the paper calls it.
    pub title: &'static str,
    /// The parameters, in the order of the table.
    pub parameters: Vec<Parameters>,
    /// How many choreographies there are of each.
    pub repetitions: u32,
}

impl Family {
    /// How many choreographies there are in all.
    pub fn tests(&self) -> usize {
        self.parameters.len() * self.repetitions as usize
    }
}

/// One choreography of a test set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// The number of its family in [`families`].
    pub family: usize,
    /// The number of its parameters in the family.
    pub point: usize,
    /// Its number among those with the same parameters.
    pub index: u32,
    /// Its parameters.
    pub parameters: Parameters,
    /// What it is made from.
    pub seed: u64,
}

/// How many choreographies of the same parameters the paper has.
const REPETITIONS: u32 = 10;

/// The test sets of the paper (table 2): 1,050 choreographies.
pub fn families() -> Vec<Family> {
    let set = |name, title, parameters: Vec<Parameters>| Family { name, title, parameters, repetitions: REPETITIONS };
    let varying = (0..=5).flat_map(|ifs| (0..=3).map(move |k| Parameters::new(200, 5, ifs, 5 * k)));
    vec![
        set("size", "size", (1..=42).map(|k| Parameters::new(50 * k, 6, 0, 0)).collect()),
        set("processes", "processes", (1..=20).map(|k| Parameters::new(500, 5 * k, 0, 0)).collect()),
        set("ifs-finite", "ifs (finite)", (1..=4).map(|k| Parameters::new(50, 6, 10 * k, 0)).collect()),
        set("ifs", "ifs (varying procedures)", varying.collect()),
        set("procedures", "procedures (fixed ifs)", (1..=15).map(|k| Parameters::new(20, 5, 8, k)).collect()),
    ]
}

/// All tests of the families, in order, with seeds that come from a master seed.
pub fn tests(families: &[Family], master: u64) -> impl Iterator<Item = Test> + '_ {
    families.iter().enumerate().flat_map(move |(family, set)| {
        set.parameters.iter().enumerate().flat_map(move |(point, &parameters)| {
            (0..set.repetitions).map(move |index| {
                let seed = test_seed(master, family, point, index);
                Test { family, point, index, parameters, seed }
            })
        })
    })
}

/// The seed of a test: the first number of the stream whose key is the master seed, the number of the family, that of
/// the parameters in it, and that of the test with these, from 1.
pub fn test_seed(master: u64, family: usize, point: usize, index: u32) -> u64 {
    SeededRng::keyed([master, family as u64, point as u64, u64::from(index) + 1]).long()
}
