//! The row of each request.

use rand_distr::{Distribution, Normal, Zipf};

use crate::draw::{Stream, below, mix};

/// The choice of the row for the n-th request of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Pick {
    /// Row n modulo the number of rows.
    Sequence,
    Uniform,
    /// Row 0 is the most frequent, then row 1, and so on.
    Zipf(Zipf<f64>),
    /// Normal distribution over the rows; draws beyond the first or last row are repeated.
    Gaussian(Normal<f64>),
    /// A row that statement `by` wrote before: each equally often, or with `latest` mostly the newest.
    Written {
        by: usize,
        latest: Option<Zipf<f64>>,
    },
}

impl Pick {
    /// Draws from `0..rows`. [`Pick::earlier`] draws for `Written`, from the rows written so far.
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
