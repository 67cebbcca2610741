//! The acknowledged requests, one bit each.

/// Acknowledged request indexes of one load thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acks {
    /// This thread's share: indexes `lane`, `lane + lanes`, ...
    pub lane: u32,
    pub lanes: u32,
    bits: Vec<u64>,
}

impl Acks {
    /// Allocates room for `expected` requests, so that recording them does not allocate.
    pub(crate) fn new(lane: u32, lanes: u32, expected: u64) -> Self {
        let words = expected / u64::from(lanes) / 64 + 1;
        Self { lane, lanes, bits: Vec::with_capacity(words as usize) }
    }

    #[inline]
    pub(crate) fn record(&mut self, index: u64) {
        let step = index / u64::from(self.lanes);
        let word = (step / 64) as usize;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (step % 64);
    }

    /// Returns the acknowledged indexes in order.
    pub fn indexes(&self) -> impl Iterator<Item = u64> + '_ {
        self.steps().map(|step| step * u64::from(self.lanes) + u64::from(self.lane))
    }

    /// Returns the acknowledged positions within the lane, in order.
    pub fn steps(&self) -> impl Iterator<Item = u64> + '_ {
        self.bits.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (bit < 64).then(|| {
                    rest &= rest - 1;
                    word as u64 * 64 + u64::from(bit)
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_index_comes_back_in_order() {
        let mut acks = Acks::new(1, 3, 10);
        for step in [200, 0, 63, 64, 5] {
            acks.record(step * 3 + 1);
        }
        assert_eq!(acks.indexes().collect::<Vec<_>>(), [1, 16, 190, 193, 601]);
    }
}
