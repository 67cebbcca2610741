//! Distribution of requests over statements.

use crate::draw::mix;

/// Number of requests in a block. Within a block each statement gets its exact share, in an order that looks random.
const BLOCK: u64 = 1024;
const FRACTION_BITS: u32 = 48;
const ALL: u64 = 1 << FRACTION_BITS;

/// Deals operations to statements in exact proportion to their weights, without state: computes for the n-th operation
/// its statement and the number of earlier operations of that statement.
#[derive(Debug, Clone)]
pub(crate) struct Mix {
    salt: u64,
    /// For each statement its share of what the statements before it leave, in units of 2^-48.
    shares: Vec<u64>,
    /// The statement that gets every operation, if there is one: nothing is shuffled then.
    only: Option<usize>,
}

/// One operation: its statement, and the number of operations of that statement before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dealt {
    pub statement: usize,
    pub ordinal: u64,
}

impl Mix {
    pub(crate) fn new(salt: u64, weights: &[f64]) -> Self {
        let mut left: f64 = weights.iter().sum();
        let mut shares = Vec::with_capacity(weights.len());
        for weight in weights {
            let share = if left > 0.0 { (weight / left).clamp(0.0, 1.0) } else { 0.0 };
            shares.push((share * (1u64 << FRACTION_BITS) as f64).round() as u64);
            left -= weight;
        }
        // Rounding must not leave operations without a statement: the last one with weight takes the rest.
        if let Some(last) = weights.iter().rposition(|weight| *weight > 0.0) {
            shares[last] = ALL;
        }
        let weighty = shares.iter().position(|share| *share > 0);
        let only = weighty.filter(|first| shares[*first] == ALL);
        Self { salt, shares, only }
    }

    #[inline]
    pub(crate) fn deal(&self, operation: u64) -> Dealt {
        if let Some(statement) = self.only {
            return Dealt { statement, ordinal: operation };
        }
        let (block, within) = (operation / BLOCK, operation % BLOCK);
        let mut index = block * BLOCK + shuffle(mix(self.salt, block), within);
        for (statement, share) in self.shares.iter().enumerate() {
            if *share == ALL {
                return Dealt { statement, ordinal: index };
            }
            let before = part(index, *share);
            if part(index + 1, *share) > before {
                return Dealt { statement, ordinal: before };
            }
            index -= before;
        }
        unreachable!("the last statement with weight takes every operation that reaches it")
    }

    /// Number of operations of a statement in the blocks before the block of `operation`. Those are already sent.
    #[inline]
    pub(crate) fn dealt_before(&self, operation: u64, statement: usize) -> u64 {
        let mut index = operation / BLOCK * BLOCK;
        for share in &self.shares[..statement] {
            index -= part(index, *share);
        }
        part(index, self.shares[statement])
    }
}

/// Number of operations, out of `index`, of a statement with this share. Rounded to the nearest: rounding down would
/// lose one whenever the share was rounded down.
#[inline]
fn part(index: u64, share: u64) -> u64 {
    ((u128::from(index) * u128::from(share) + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS) as u64
}

/// Permutes `0..BLOCK`: each line is reversible on 10 bits.
#[inline]
fn shuffle(key: u64, within: u64) -> u64 {
    const MASK: u64 = BLOCK - 1;
    let mut x = (within ^ key) & MASK;
    x = (x ^ (x >> 5)).wrapping_mul((key >> 10) | 1) & MASK;
    x = (x ^ (x >> 4)).wrapping_mul((key >> 20) | 1) & MASK;
    x = (x ^ (x >> 5)).wrapping_mul((key >> 30) | 1) & MASK;
    x ^ (x >> 6)
}
