//! Why long work was given up, in words.

/// Why work was given up that had these limits: a number of states, and seconds.
pub fn gave_up(max_states: Option<usize>, timeout: Option<f64>) -> String {
    match (max_states, timeout) {
        (Some(states), None) => format!("gave up after {states} states"),
        (None, Some(seconds)) => format!("gave up after {seconds} s"),
        (Some(states), Some(seconds)) => format!("gave up after {states} states or {seconds} s"),
        (None, None) => "gave up: there are more states than can be numbered".to_string(),
    }
}
