//! Labelled graphs and what can be said of any of them: which nodes behave alike, which lie on a cycle together.
