//! Everything about one text: its tree, its model, what is wrong with it, and where its lines are.
//!
//! An [`Analysis`] is made once and handed around. Nothing in it is worked out twice, and what not everybody needs
//! (warnings, the table of lines) is worked out when it is first asked for.

use crate::choreography::{self, Choreography};
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::equivalence::System;
use crate::network::{self, Network};
use crate::syntax::{self, ChoreographyTree, Kind, NetworkTree, detect, parse_choreography, parse_network};
use crate::text::LineTable;
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;

/// What a text says.
#[derive(Debug, Clone)]
pub enum Model {
    /// What each process does.
    Network(Network),
    /// What all do together.
    Choreography(Choreography),
}

impl<'a> From<&'a Model> for System<'a> {
    fn from(model: &'a Model) -> Self {
        match model {
            Model::Network(network) => System::Network(network),
            Model::Choreography(choreography) => System::Choreography(choreography),
        }
    }
}

/// The syntax tree of a text in one of the two languages.
#[derive(Debug, Clone)]
pub enum SyntaxTree {
    /// A network.
    Network(NetworkTree),
    /// A choreography.
    Choreography(ChoreographyTree),
}

/// Why a text is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllFormed {
    /// Its errors; there are none if the text is in the other language.
    pub errors: Vec<Diagnostic>,
    /// The language that was expected, if the text is in the other one.
    pub expected: Option<Kind>,
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.expected, self.errors.as_slice()) {
            (Some(Kind::Network), _) => f.write_str("the text is a choreography, not a network"),
            (Some(Kind::Choreography), _) => f.write_str("the text is a network, not a choreography"),
            (None, []) => f.write_str("the text is not well-formed"),
            (None, [only]) => f.write_str(&only.message),
            (None, [first, rest @ ..]) => write!(f, "{} (and {} more)", first.message, rest.len()),
        }
    }
}

impl Error for IllFormed {}

/// What is known about a text.
#[derive(Debug, Clone)]
pub struct Analysis {
    text: String,
    tree: SyntaxTree,
    model: Option<Model>,
    /// What the text cannot be used with.
    errors: Vec<Diagnostic>,
    /// Whether the errors are of the syntax, so that nothing is known about what the text means.
    is_malformed: bool,
    diagnostics: OnceLock<Vec<Diagnostic>>,
    lines: OnceLock<LineTable>,
}

impl Analysis {
    /// Analyses a text; what it looks like tells whether it is a network or a choreography.
    ///
    /// ```
    /// use laban::Analysis;
    ///
    /// let network = Analysis::new("p { main { q!<x>; stop } } | q { main { p?; stop } }");
    /// assert_eq!(network.network().unwrap().processes().len(), 2);
    ///
    /// let choreography = Analysis::new("main { p.x -> q; stop }");
    /// assert_eq!(choreography.choreography().unwrap().processes().len(), 2);
    ///
    /// let wrong = Analysis::new("p { main { q!<x>; stop } }");
    /// assert!(wrong.model().is_none());
    /// assert_eq!(wrong.errors()[0].message, "there is no process `q`");
    /// ```
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let kind = detect(&text);
        Self::of_kind(kind, text)
    }

    /// Analyses a text in a language that is known.
    pub fn of_kind(kind: Kind, text: impl Into<String>) -> Self {
        let text = text.into();
        match kind {
            Kind::Network => {
                let syntax::Parsed { tree, diagnostics } = parse_network(&text);
                let is_malformed = has_errors(&diagnostics);
                let (model, errors) = match is_malformed {
                    true => (None, diagnostics),
                    false => {
                        let lowered = network::lower(&tree);
                        (lowered.network.map(Model::Network), lowered.diagnostics)
                    }
                };
                Self::put_together(text, SyntaxTree::Network(tree), model, errors, is_malformed)
            }
            Kind::Choreography => {
                let syntax::Parsed { tree: parsed, diagnostics } = parse_choreography(&text);
                let tree = |tree| SyntaxTree::Choreography(tree);
                if has_errors(&diagnostics) {
                    return Self::put_together(text, tree(parsed), None, diagnostics, true);
                }
                let lowered = choreography::lower(&parsed);
                match lowered.choreography {
                    None => Self::put_together(text, tree(parsed), None, lowered.diagnostics, false),
                    Some(choreography) => {
                        let model = Some(Model::Choreography(choreography));
                        let mut analysis = Self::put_together(text, tree(parsed), model, Vec::new(), false);
                        // What lowering says of a choreography that can be used are warnings.
                        analysis.diagnostics = OnceLock::from(lowered.diagnostics);
                        analysis
                    }
                }
            }
        }
    }

    /// Analyses bytes that should be text. If they are not, the only error says so.
    pub fn of_bytes(kind: Option<Kind>, bytes: Vec<u8>) -> Self {
        let (text, error) = match String::from_utf8(bytes) {
            // Only its length can be wrong, and that is known without looking at all of it again.
            Ok(text) if u32::try_from(text.len()).is_ok() => (text, None),
            Ok(text) => {
                let error = syntax::source_text(text.as_bytes()).err();
                (text, error)
            }
            // What is text in it can be shown with the error.
            Err(error) => {
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), syntax::source_text(error.as_bytes()).err())
            }
        };
        let kind = kind.unwrap_or_else(|| detect(&text));
        let Some(error) = error else { return Self::of_kind(kind, text) };
        let tree = match kind {
            Kind::Network => SyntaxTree::Network(NetworkTree::default()),
            Kind::Choreography => SyntaxTree::Choreography(ChoreographyTree::default()),
        };
        Self::put_together(text, tree, None, vec![error], true)
    }

    /// What a reader of another language made of a text: the model, unless there are errors, the model as a tree, and
    /// everything that there is to say about the text. Places are places in the text.
    pub fn of_model(
        text: impl Into<String>,
        model: Option<Model>,
        tree: SyntaxTree,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).cloned().collect();
        let model = model.filter(|_| errors.is_empty());
        // The codes of mistakes of writing come first.
        let is_malformed = errors.iter().any(|error| error.code < Code::DuplicateProcess);
        let mut analysis = Self::put_together(text.into(), tree, model, errors, is_malformed);
        analysis.diagnostics = OnceLock::from(diagnostics);
        analysis
    }

    fn put_together(
        text: String,
        tree: SyntaxTree,
        model: Option<Model>,
        errors: Vec<Diagnostic>,
        is_malformed: bool,
    ) -> Self {
        let (diagnostics, lines) = (OnceLock::new(), OnceLock::new());
        Analysis { text, tree, model, errors, is_malformed, diagnostics, lines }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The language that it is written in.
    pub fn kind(&self) -> Kind {
        match self.tree {
            SyntaxTree::Network(_) => Kind::Network,
            SyntaxTree::Choreography(_) => Kind::Choreography,
        }
    }

    /// Its syntax tree. There is one for any text; where the text is wrong it has gaps.
    pub fn tree(&self) -> &SyntaxTree {
        &self.tree
    }

    /// Its syntax tree, if it is a network.
    pub fn network_tree(&self) -> Option<&NetworkTree> {
        match &self.tree {
            SyntaxTree::Network(tree) => Some(tree),
            SyntaxTree::Choreography(_) => None,
        }
    }

    /// Its syntax tree, if it is a choreography.
    pub fn choreography_tree(&self) -> Option<&ChoreographyTree> {
        match &self.tree {
            SyntaxTree::Choreography(tree) => Some(tree),
            SyntaxTree::Network(_) => None,
        }
    }

    /// Whether it is text at all, and not too long.
    pub fn is_text(&self) -> bool {
        !self.errors.iter().any(|error| matches!(error.code, Code::NotText | Code::TooLong))
    }

    /// What it says; `None` if there are errors.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The network, if it is one.
    pub fn network(&self) -> Option<&Network> {
        match &self.model {
            Some(Model::Network(network)) => Some(network),
            _ => None,
        }
    }

    /// The choreography, if it is one.
    pub fn choreography(&self) -> Option<&Choreography> {
        match &self.model {
            Some(Model::Choreography(choreography)) => Some(choreography),
            _ => None,
        }
    }

    /// The model, for whoever needs nothing else of the analysis.
    pub fn into_model(self) -> Result<Model, IllFormed> {
        self.model.ok_or(IllFormed { errors: self.errors, expected: None })
    }

    /// Takes the model out, to change it; the rest of the analysis stays as it is.
    pub fn take_model(&mut self) -> Option<Model> {
        // Warnings are about the model as it was.
        self.diagnostics();
        self.model.take()
    }

    /// The network, if it is one.
    pub fn into_network(self) -> Result<Network, IllFormed> {
        match self.into_model()? {
            Model::Network(network) => Ok(network),
            Model::Choreography(_) => Err(IllFormed { errors: Vec::new(), expected: Some(Kind::Network) }),
        }
    }

    /// The choreography, if it is one.
    pub fn into_choreography(self) -> Result<Choreography, IllFormed> {
        match self.into_model()? {
            Model::Choreography(choreography) => Ok(choreography),
            Model::Network(_) => Err(IllFormed { errors: Vec::new(), expected: Some(Kind::Choreography) }),
        }
    }

    /// What must be fixed before the text can be used, in the order of the text.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// Those of the errors that are mistakes of writing, whatever the text means.
    pub fn syntax_errors(&self) -> &[Diagnostic] {
        if self.is_malformed { &self.errors } else { &[] }
    }

    /// Everything there is to say about the text: its errors, or if there are none, its warnings.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| match (&self.model, &self.tree) {
            (Some(Model::Network(network)), SyntaxTree::Network(tree)) => network::warnings(tree, network),
            _ => self.errors.clone(),
        })
    }

    /// Where its lines are.
    pub fn lines(&self) -> &LineTable {
        self.lines.get_or_init(|| LineTable::new(&self.text))
    }
}
