//! The page that shows Laban in a browser, served from this program: for `laban play`.
//!
//! [`site`] has the files of the page, all in memory; [`request`] understands what a browser asks for; [`server`]
//! answers on this machine only; [`link`] is the address of a page with a text in it; and [`browser`] opens it.
//!
//! The server is our own rather than a library's: it answers two methods for a handful of files, and what matters about
//! it, that nothing else is answered and nobody can hold it up, is easier to see in three short files than in the
//! settings of a large one.

pub(crate) mod browser;
pub(crate) mod link;
mod request;
pub(crate) mod server;
pub(crate) mod site;
