use rand_distr::{Distribution, Normal, Zipf};

use crate::draw::{Stream, below, mix};

/// Which row the n-th request of a statement works on.
#[derive(Debug, Clone)]
pub(crate) enum Pick {
    /// Row n, from 0 again after the last.
    Sequence,
    Uniform,
    /// Row 0 the most often, row 1 less, and so on.
    Zipf(Zipf<f64>),
    /// Around a row in the middle; draws beyond the first or last row are drawn again.
    Gaussian(Normal<f64>),
    /// A row that the given statement wrote before: any of them, or mostly the newest.
    Written {
        by: usize,
        latest: Option<Zipf<f64>>,
    },
}

impl Pick {
    /// Draws from `0..rows`. `Written` draws from what was written so far instead, see [`Pick::earlier`].
    #[inline]
    pub(crate) fn row(&self, salt: u64, ordinal: u64, rows: u64) -> u64 {
        match self {
            Pick::Sequence if ordinal < rows => ordinal,
            Pick::Sequence => ordinal % rows,
            Pick::Uniform | Pick::Written { .. } => below(mix(salt, ordinal), rows),
            Pick::Zipf(zipf) => (zipf.sample(&mut Stream::new(salt, ordinal)) as u64 - 1).min(rows - 1),
            Pick::Gaussian(normal) => {
                let mut stream = Stream::new(salt, ordinal);
                for _ in 0..32 {
                    let fraction = normal.sample(&mut stream);
                    if (0.0..1.0).contains(&fraction) {
                        return (fraction * rows as f64) as u64;
                    }
                }
                rows / 2
            }
        }
    }

    /// Draws the ordinal of one of `count` earlier writes.
    #[inline]
    pub(crate) fn earlier(latest: &Option<Zipf<f64>>, salt: u64, ordinal: u64, count: u64) -> u64 {
        match latest {
            None => below(mix(salt, ordinal), count),
            Some(zipf) => {
                let age = zipf.sample(&mut Stream::new(salt, ordinal)) as u64 - 1;
                count - 1 - age % count
            }
        }
    }
}
