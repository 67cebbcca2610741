//! The part of a schedule that belongs to one load thread.

use crate::arrivals::{Arrivals, exponential_gap};
use crate::profile::Inverse;
use crate::{Schedule, Trace};
use std::sync::Arc;

/// One request of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Position in the run, unique over all lanes: lane `l` of `n` has `l`, `l + n`, `l + 2n`, ...
    pub index: u64,
    /// Intended start, nanoseconds after the start of the run.
    pub at_ns: u64,
}

/// Requests of one load thread in order of start. The iterator knows no current time: if its reader is late, the
/// remaining starts are due.
#[derive(Debug, Clone)]
pub struct Lane {
    lane: u32,
    lanes: u32,
    step: u64,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Even(Inverse),
    Poisson { seed: u64, due: f64, inverse: Inverse },
    Trace(Arc<Trace>),
}

impl Lane {
    pub(crate) fn new(schedule: &Schedule, lane: u32, lanes: u32) -> Self {
        assert!(lane < lanes, "lane {lane} of {lanes}");
        let source = match schedule {
            Schedule::Rate { profile, arrivals: Arrivals::Even } => Source::Even(Inverse::new(profile)),
            Schedule::Rate { profile, arrivals: Arrivals::Poisson { seed } } => {
                Source::Poisson { seed: *seed, due: 0.0, inverse: Inverse::new(profile) }
            }
            Schedule::Trace(trace) => Source::Trace(Arc::clone(trace)),
        };
        Self { lane, lanes, step: 0, source }
    }

    /// Offered rate of this lane at its last start, in requests per second; zero if unknown.
    #[inline]
    pub fn rate(&self) -> f64 {
        match &self.source {
            Source::Even(inverse) | Source::Poisson { inverse, .. } => inverse.rate() / f64::from(self.lanes),
            Source::Trace(_) => 0.0,
        }
    }
}

impl Iterator for Lane {
    type Item = Start;

    #[inline]
    fn next(&mut self) -> Option<Start> {
        let index = u64::from(self.lane) + self.step * u64::from(self.lanes);
        let at_ns = match &mut self.source {
            Source::Even(inverse) => inverse.start_ns(index as f64)?,
            Source::Poisson { seed, due, inverse } => {
                *due += exponential_gap(*seed, self.lane, self.step) * f64::from(self.lanes);
                inverse.start_ns(*due)?
            }
            Source::Trace(trace) => *trace.starts_ns().get(index as usize)?,
        };
        self.step += 1;
        Some(Start { index, at_ns })
    }
}
