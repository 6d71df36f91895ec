//! What sequence diagrams mean: the rules one by one.
