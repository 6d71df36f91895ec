#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod about;
mod analyse;
mod compare;
mod desk;
mod draw;
#[cfg(target_arch = "wasm32")]
mod exports;
mod extract;
mod failures;
mod places;
mod request;
mod rewrite;
mod run;
mod search;

use desk::Fields;
use request::{Ask, Request};

/// The answer to a request, both in JSON.
///
/// ```
/// let text = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
/// let request = format!(r#"{{"do": "extract", "files": [{{"name": "a.net", "text": "{text}"}}]}}"#);
/// let answer = laban_wasm::answer(&request);
/// assert!(answer.contains(r#""choreography":"main { p.x -> q; stop }\n""#), "{answer}");
/// assert_eq!(laban_wasm::answer("{}"), r#"{"error":"missing field `do` at line 1 column 2"}"#);
/// ```
pub fn answer(request: &str) -> String {
    let request: Request = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(error) => return refused(&error.to_string()),
    };
    let answered = match request.what {
        Ask::Version => Ok(about::version()),
        Ask::Examples => Ok(about::examples()),
        Ask::Analyse => analyse::analyse(&request),
        Ask::Check => analyse::check(&request),
        Ask::Extract => extract::extract(&request),
        Ask::Draw => draw::draw(&request),
        Ask::Run => run::run(&request),
        Ask::Verify => compare::verify(&request),
        Ask::Equiv => compare::equiv(&request),
        Ask::Project => rewrite::project(&request),
        Ask::Amend => rewrite::amend(&request),
        Ask::Fmt => rewrite::fmt(&request),
        Ask::Convert => rewrite::convert(&request),
    };
    match answered {
        Ok(fields) => fields.into_json(),
        Err(message) => refused(&message),
    }
}

/// The answer to a request that makes no sense.
fn refused(message: &str) -> String {
    let mut fields = Fields::default();
    fields.put("error", message);
    fields.into_json()
}
