//! Work that several machines share: each does every N-th thing of the same list.

/// Which share of the work is done here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Shard {
    /// Reads `K/N`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let wrong = || "expected K/N with 1 ≤ K ≤ N, such as 2/8".to_string();
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let shard = Shard { number: number.parse().map_err(|_| wrong())?, of: of.parse().map_err(|_| wrong())? };
        (1..=shard.of).contains(&shard.number).then_some(shard).ok_or_else(wrong)
    }

    /// Whether the thing with this number, from 0, is in it.
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    /// What is in it: every N-th thing, in the same order.
    pub fn share<T>(self, things: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        things.into_iter().enumerate().filter(move |(index, _)| self.has(*index)).map(|(_, thing)| thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_apart_and_make_up_the_whole() {
        for of in 1..8 {
            let shares = (1..=of).map(|number| Shard { number, of }.share(0..20).collect::<Vec<_>>());
            let shares: Vec<Vec<usize>> = shares.collect();
            let dealt: Vec<usize> = (0..20).map(|index| shares[index % of][index / of]).collect();
            assert_eq!(dealt, (0..20).collect::<Vec<_>>());
            assert_eq!(shares.iter().map(Vec::len).sum::<usize>(), 20);
        }
    }

    #[test]
    fn a_share_is_one_of_those_that_there_are() {
        assert_eq!(Shard::parse("2/8"), Ok(Shard { number: 2, of: 8 }));
        for wrong in ["", "1", "0/1", "2/1", "0/0", "-1/2", "1/2/3", "a/b"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}
