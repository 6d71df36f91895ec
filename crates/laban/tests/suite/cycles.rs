//! Cycles of small graphs, found by looking: independent of what the library does.

#![allow(dead_code, unreachable_pub, reason = "each suite uses a part of it")]

/// For each node whether some way leads from it back to it. A node is a list of the nodes that follow it.
pub fn on_cycle(graph: &[Vec<u32>]) -> Vec<bool> {
    // What remains when all that leads nowhere, and all that nothing leads to, is taken away.
    let mut reversed = vec![Vec::new(); graph.len()];
    for (node, next) in graph.iter().enumerate() {
        next.iter().for_each(|&next| reversed[next as usize].push(node as u32));
    }
    let (ahead, behind) = (leads_on(graph, &reversed), leads_on(&reversed, graph));
    let doubtful = |node: &usize| ahead[*node] && behind[*node];
    let mut found = vec![false; graph.len()];
    for start in (0..graph.len()).filter(doubtful) {
        let mut seen = vec![false; graph.len()];
        let mut work = graph[start].clone();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                work.extend(&graph[node as usize]);
            }
        }
        found[start] = seen[start];
    }
    found
}

/// For each node whether ways from it go on forever.
fn leads_on(graph: &[Vec<u32>], reversed: &[Vec<u32>]) -> Vec<bool> {
    let mut left: Vec<usize> = graph.iter().map(Vec::len).collect();
    let mut work: Vec<u32> = (0..graph.len() as u32).filter(|&node| left[node as usize] == 0).collect();
    let mut forever = vec![true; graph.len()];
    while let Some(node) = work.pop() {
        forever[node as usize] = false;
        for &before in &reversed[node as usize] {
            left[before as usize] -= 1;
            if left[before as usize] == 0 {
                work.push(before);
            }
        }
    }
    forever
}

/// Whether there is a cycle at all.
pub fn has_cycle(graph: &[Vec<u32>]) -> bool {
    let mut reversed = vec![Vec::new(); graph.len()];
    for (node, next) in graph.iter().enumerate() {
        next.iter().for_each(|&next| reversed[next as usize].push(node as u32));
    }
    leads_on(graph, &reversed).contains(&true)
}
