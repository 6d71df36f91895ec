//! Many networks: worked on by several threads, answered in order, with few of them in memory.
//!
//! Networks come from a Python iterator, which only the thread that asks for answers may use. So each time it asks, it
//! takes in a few more networks, if there is room, and waits for the one whose turn it is. The other threads know
//! nothing of Python.

use crate::answer::{Answered, Effort, answered};
use crate::errors::wrong;
use crate::extraction::Extraction;
use crate::interrupt::EVERY;
use crate::model::Network;
use crate::options::SearchOptions;
use crate::subject::NAMELESS;
use laban::syntax::Kind;
use laban_report::{ChannelsAsked, File, Input, Language, NoLibrary, ReadArgs, Reader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyIterator, PyString};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many networks may be taken in ahead of the oldest that is not answered, for each thread.
const AHEAD: usize = 32;

/// A network, as it comes from Python.
struct Item {
    file: Option<String>,
    id: Option<String>,
    what: What,
}

enum What {
    Read(Arc<Input>),
    Text { text: String, format: Option<Language> },
}

/// A text with its name and where it comes from: what `laban.Source` is.
#[derive(FromPyObject)]
struct GivenSource {
    id: Option<String>,
    text: String,
    file: Option<String>,
    format: Option<String>,
}

/// What the threads and the one who asks share.
struct Shared {
    queue: Mutex<Queue>,
    /// There is something to do, or nothing ever will be.
    work: Condvar,
    /// The answer whose turn it is, is there.
    ready: Condvar,
    stop: AtomicBool,
    options: SearchOptions,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(usize, Item)>,
    /// What was answered and waits for its turn; nothing if a thread has panicked.
    done: BTreeMap<usize, Option<Answered>>,
    /// How many have been handed out.
    handed: usize,
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        // The queue is changed in single steps, so a panic leaves it as it should be.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until there is nothing more to do.
    fn work(&self) {
        loop {
            let mut queue = self.lock();
            let (number, item) = loop {
                if queue.closed {
                    return;
                }
                match queue.waiting.pop_front() {
                    Some(next) => break next,
                    None => queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(queue);
            let answer = catch_unwind(AssertUnwindSafe(|| item.answer(&self.options, &self.stop))).ok();
            let mut queue = self.lock();
            queue.done.insert(number, answer);
            if number == queue.handed {
                self.ready.notify_all();
            }
        }
    }
}

impl Item {
    fn answer(self, options: &SearchOptions, stop: &AtomicBool) -> Answered {
        let Item { file, id, what } = self;
        let name = match &what {
            What::Read(input) => file.unwrap_or_else(|| input.source.name.clone()),
            What::Text { .. } => file.unwrap_or_else(|| NAMELESS.to_string()),
        };
        let input = match what {
            What::Read(input) => input,
            What::Text { text, format } => {
                let file = File { name: name.clone(), path: None };
                Arc::new(match format {
                    Some(language @ Language::Other(_)) => read(file, text, language),
                    _ => Input::own(file, Language::Own(Some(Kind::Network)), text.into_bytes()),
                })
            }
        };
        answered(name, id, input, options, stop, Effort::Plain)
    }
}

/// A text of another tool.
fn read(file: File, text: String, language: Language) -> Input {
    let args = ReadArgs { from: Some(language), ..ReadArgs::default() };
    let reader = Reader { args: &args, channels: ChannelsAsked::NotGiven, library: &NoLibrary };
    let raw = laban_report::Raw { file: file.clone(), bytes: text.into_bytes(), language };
    reader.one(Ok(raw), None).unwrap_or_else(|_| Input::own(file, Language::Own(None), Vec::new()))
}

/// Answers for many networks, in the order of the networks. Made by `laban.extract_many`.
///
/// >>> import laban
/// >>> good, bad = "p { main { q!<x>; stop } } | q { main { p?; stop } }", "p { main { p?; stop } }"
/// >>> [extraction.outcome for extraction in laban.extract_many([good, bad])]
/// ['extracted', 'ill-formed']
#[pyclass(frozen, module = "laban")]
pub(crate) struct Extractions {
    shared: Arc<Shared>,
    source: Mutex<Source>,
}

/// Where networks come from.
struct Source {
    networks: Option<Py<PyIterator>>,
    /// What went wrong with them, after those that came before.
    error: Option<PyErr>,
    taken: usize,
    most: usize,
}

#[pymethods]
impl Extractions {
    #[new]
    fn new(networks: &Bound<'_, PyAny>, jobs: usize, options: SearchOptions) -> PyResult<Self> {
        let jobs = match jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs.min(256),
        };
        let networks = networks.try_iter()?.unbind();
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            work: Condvar::new(),
            ready: Condvar::new(),
            stop: AtomicBool::new(false),
            options,
        });
        for _ in 0..jobs {
            let shared = Arc::clone(&shared);
            let spawned = std::thread::Builder::new().name("laban".to_string()).spawn(move || shared.work());
            spawned.map_err(|error| wrong(format!("jobs: no more threads: {error}")))?;
        }
        let source = Source { networks: Some(networks), error: None, taken: 0, most: jobs * AHEAD };
        Ok(Extractions { shared, source: Mutex::new(source) })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Extraction>> {
        // Two threads of Python may ask at the same time; the second waits without the lock that the first needs.
        let mut source = self.source.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.take_in(py, &mut source);
        let wanted = self.shared.lock().handed;
        if wanted == source.taken {
            // All that came before it has been handed out.
            return source.error.take().map_or(Ok(None), Err);
        }
        loop {
            let found = py.detach(|| {
                let mut queue = self.shared.lock();
                if !queue.done.contains_key(&wanted) {
                    let waited = self.shared.ready.wait_timeout(queue, EVERY);
                    queue = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                queue.done.remove(&wanted)
            });
            match found {
                Some(answer) => {
                    self.shared.lock().handed += 1;
                    let answer = answer.ok_or_else(|| wrong(laban_report::fault("a thread has panicked")))?;
                    return Ok(Some(answer.into()));
                }
                None => {
                    py.check_signals().inspect_err(|_| self.close())?;
                }
            }
        }
    }
}

impl Extractions {
    /// Takes in as many networks as there is room for.
    fn take_in(&self, py: Python<'_>, source: &mut Source) {
        let handed = self.shared.lock().handed;
        while source.taken < handed + source.most {
            let Some(networks) = &source.networks else { return };
            let item = match networks.bind(py).clone().next() {
                Some(item) => item.and_then(|item| as_item(&item)),
                None => {
                    source.networks = None;
                    return;
                }
            };
            match item {
                Ok(item) => {
                    self.shared.lock().waiting.push_back((source.taken, item));
                    self.shared.work.notify_one();
                    source.taken += 1;
                }
                Err(error) => {
                    source.error = Some(error);
                    source.networks = None;
                }
            }
        }
    }

    /// Lets the threads end.
    fn close(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let mut queue = self.shared.lock();
        queue.closed = true;
        queue.waiting.clear();
        self.shared.work.notify_all();
    }
}

impl Drop for Extractions {
    fn drop(&mut self) {
        self.close();
    }
}

/// A network in one of the ways in which it may be given.
fn as_item(given: &Bound<'_, PyAny>) -> PyResult<Item> {
    if let Some(item) = alone(given) {
        return item;
    }
    // A source is a tuple as well, so it comes first.
    if given.hasattr("text")? {
        let GivenSource { id, text, file, format } = given.extract()?;
        let named = |name: &String| {
            laban_report::language_named(name).ok_or_else(|| wrong(format!("format: there is no format {name:?}")))
        };
        let format = format.as_ref().map(named).transpose()?;
        return Ok(Item { file, id, what: What::Text { text, format } });
    }
    if let Ok((id, inner)) = given.extract::<(String, Bound<'_, PyAny>)>()
        && let Some(item) = alone(&inner)
    {
        return Ok(Item { id: Some(id), ..item? });
    }
    let message = "expected networks: texts, Network, Source, or pairs of a name and one of these";
    Err(PyTypeError::new_err(message))
}

/// A text or a network, without a name.
fn alone(given: &Bound<'_, PyAny>) -> Option<PyResult<Item>> {
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.extract::<String>();
        return Some(text.map(|text| Item { file: None, id: None, what: What::Text { text, format: None } }));
    }
    let network = given.cast::<Network>().ok()?;
    Some(Ok(Item { file: None, id: None, what: What::Read(Arc::clone(&network.get().input)) }))
}
