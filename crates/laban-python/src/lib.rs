//! The part of Laban for Python that is written in Rust: the classes, and one function for each step.
//!
//! What users call is in `python/laban`, which has the signatures, the defaults and the documentation; the functions
//! here take options as dictionaries. Whatever may take long runs without the interpreter's lock, and a signal ends it.
//! Nothing here decides anything about networks or words an answer: that is for the libraries.

// Arguments come from Python as values.
#![allow(clippy::needless_pass_by_value)]

mod answer;
mod compare;
mod convert;
mod diagnostic;
mod draw;
mod errors;
mod evaluation;
mod extraction;
mod failure;
mod generate;
mod interrupt;
mod many;
mod model;
mod options;
mod project;
mod run;
mod subject;

use pyo3::prelude::*;

/// Searches allocate a lot, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The part of Laban that is written in Rust.
#[pymodule]
fn _laban(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Network>()?;
    module.add_class::<model::Choreography>()?;
    module.add_class::<diagnostic::Diagnostic>()?;
    module.add_class::<diagnostic::Place>()?;
    module.add_class::<extraction::Extraction>()?;
    module.add_class::<extraction::Certificate>()?;
    module.add_class::<extraction::Check>()?;
    module.add_class::<failure::Failure>()?;
    module.add_class::<failure::Waiting>()?;
    module.add_class::<compare::Verification>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<many::Extractions>()?;
    module.add_class::<evaluation::Plan>()?;
    module.add_function(wrap_pyfunction!(model::parse, module)?)?;
    module.add_function(wrap_pyfunction!(model::together, module)?)?;
    module.add_function(wrap_pyfunction!(extraction::extract, module)?)?;
    module.add_function(wrap_pyfunction!(extraction::check, module)?)?;
    module.add_function(wrap_pyfunction!(compare::verify, module)?)?;
    module.add_function(wrap_pyfunction!(compare::equivalent, module)?)?;
    module.add_function(wrap_pyfunction!(project::project, module)?)?;
    module.add_function(wrap_pyfunction!(project::amend, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate_batch, module)?)?;
    module.add_function(wrap_pyfunction!(generate::fuzz, module)?)?;
    module.add_function(wrap_pyfunction!(generate::unroll, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(draw::draw, module)?)?;
    Ok(())
}
