//! The search for components in which processes race, where somebody takes whichever message comes first; and for those
//! in which messages wait in queues.
//!
//! A node is a configuration. Of all that could happen there, only what happens within one *closed set* is looked at:
//! what happens outside of it changes nothing inside it, so it can be put off. If the set has several interactions, the
//! node is a race and has an edge for each. [`heads`] lays the component out, [`scene`] finds the closed sets of a
//! configuration, [`search`](search()) walks from one configuration to the next and sees to it that nothing is put off
//! forever, and [`starvation`] finds those who could wait forever in the graph that comes of it. [`queues`] has what
//! lies in queues, and [`room`] says when one needs more room. `docs/algorithm.md` has the argument in full. Components
//! with neither have a search of their own.

mod choice;
mod graph;
mod heads;
mod position;
mod put_off;
mod queues;
mod room;
mod scene;
mod search;
mod starvation;
mod store;

pub(super) use search::search;
