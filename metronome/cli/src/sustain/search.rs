//! The order of the rates. Pure: takes rates and verdicts, returns rates.

use report::Verdict;

/// The search ends below this share of the first rate.
const LOWEST_SHARE: f64 = 1.0 / 4096.0;

/// Doubles the rate until the level is missed, or halves it until the level is kept; then narrows the gap; then repeats
/// both ends.
#[derive(Debug)]
pub(super) struct Search {
    first: f64,
    highest: f64,
    precision: f64,
    kept: Vec<f64>,
    missed: Option<f64>,
    /// Remaining repeats, in reverse order.
    repeats: Vec<f64>,
    repeats_left: u32,
    outcomes: Vec<f64>,
    bracket: Option<(f64, f64)>,
    low_kept: bool,
    tried: bool,
    ended: bool,
}

impl Search {
    pub(super) fn new(first: f64, highest: f64, precision: f64, repeats: u32) -> Self {
        Self {
            first,
            highest,
            precision,
            kept: Vec::new(),
            missed: None,
            repeats: Vec::new(),
            repeats_left: repeats,
            outcomes: Vec::new(),
            bracket: None,
            low_kept: false,
            tried: false,
            ended: false,
        }
    }

    fn best(&self) -> Option<f64> {
        self.kept.iter().copied().reduce(f64::max)
    }

    pub(super) fn next_rate(&mut self) -> Option<f64> {
        if self.ended {
            return None;
        }
        if self.bracket.is_none() {
            if let Some(rate) = self.narrow() {
                return Some(rate);
            }
            let best = self.best()?;
            self.bracket = Some((best, self.missed.unwrap_or(best)));
            self.outcomes.push(best);
        }
        if self.repeats.is_empty() {
            if self.repeats_left == 0 {
                return None;
            }
            self.repeats_left -= 1;
            let (low, high) = self.bracket?;
            self.repeats = if high > low { vec![high, low] } else { vec![low] };
        }
        self.repeats.last().copied()
    }

    /// Returns the next rate of bracketing or bisection; `None` once the gap is small enough.
    fn narrow(&mut self) -> Option<f64> {
        match (self.best(), self.missed) {
            (None, None) if !self.tried => Some(self.first),
            (None, None) => None,
            (None, Some(missed)) => (missed / 2.0 >= self.first * LOWEST_SHARE).then_some(missed / 2.0),
            (Some(kept), None) => (kept < self.highest).then_some((kept * 2.0).min(self.highest)),
            (Some(kept), Some(missed)) => (missed / kept > 1.0 + self.precision).then_some((kept * missed).sqrt()),
        }
    }

    pub(super) fn judged(&mut self, rate: f64, verdict: Verdict) {
        self.tried = true;
        let Some((low, high)) = self.bracket else {
            match verdict {
                Verdict::Kept => self.kept.push(rate),
                Verdict::Missed => self.missed = Some(rate),
                // At first, an unknown verdict means too few requests for the percentile: the search goes up. Later it
                // means the limit of the generator, which counts as missed.
                Verdict::Unknown if self.kept.is_empty() && self.missed.is_none() && rate * 2.0 <= self.highest => {
                    self.first = rate * 2.0;
                    self.tried = false;
                }
                Verdict::Unknown => self.missed = Some(rate),
            }
            self.ended = self.best().is_none() && self.narrow().is_none();
            return;
        };
        self.repeats.pop();
        let kept = verdict == Verdict::Kept;
        if rate == low && low < high {
            self.low_kept = kept;
            if kept {
                return;
            }
            // Once the lower rate misses, the higher one is not repeated.
            self.repeats.pop();
        }
        let below = self.kept.iter().copied().filter(|k| *k < low).reduce(f64::max).unwrap_or(0.0);
        self.outcomes.push(match (rate == low, kept) {
            (_, true) => rate,
            (false, false) if self.low_kept => low,
            _ => below,
        });
    }

    /// The lowest outcome of the repeats.
    pub(super) fn sustainable(&self) -> Option<f64> {
        self.outcomes.iter().copied().reduce(f64::min).filter(|rate| *rate > 0.0)
    }

    pub(super) fn spread(&self) -> Option<(f64, f64)> {
        Some((self.outcomes.iter().copied().reduce(f64::min)?, self.outcomes.iter().copied().reduce(f64::max)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search against a server that keeps the level up to a limit.
    fn search(mut search: Search, keeps: impl Fn(f64, usize) -> Verdict) -> (Search, Vec<f64>) {
        let mut tried = Vec::new();
        while let Some(rate) = search.next_rate() {
            assert!(tried.len() < 200, "the search does not end: {tried:?}");
            let verdict = keeps(rate, tried.len());
            tried.push(rate);
            search.judged(rate, verdict);
        }
        (search, tried)
    }

    fn limit(limit: f64) -> impl Fn(f64, usize) -> Verdict {
        move |rate, _| if rate <= limit { Verdict::Kept } else { Verdict::Missed }
    }

    #[test]
    fn the_limit_is_found_from_below_and_from_above_within_the_precision() {
        for first in [100.0, 1_000.0, 500_000.0] {
            let (found, _) = search(Search::new(first, 1e7, 0.05, 2), limit(37_000.0));
            let rate = found.sustainable().expect("found");
            assert!((37_000.0 / 1.05..=37_000.0).contains(&rate), "from {first}: {rate}");
            assert_eq!(found.spread(), Some((rate, rate)));
        }
    }

    #[test]
    fn the_search_stops_at_the_highest_rate_allowed() {
        let (found, tried) = search(Search::new(1_000.0, 5_000.0, 0.05, 0), limit(1e9));
        assert_eq!(found.sustainable(), Some(5_000.0));
        assert_eq!(tried, [1_000.0, 2_000.0, 4_000.0, 5_000.0]);
    }

    #[test]
    fn a_server_that_keeps_nothing_has_no_sustainable_rate() {
        let (found, _) = search(Search::new(1_000.0, 1e7, 0.05, 2), limit(0.0));
        assert_eq!((found.sustainable(), found.spread()), (None, None));
    }

    #[test]
    fn a_rate_too_slow_for_the_percentile_makes_the_search_go_up() {
        let keeps = |rate: f64, _| match rate {
            r if r < 300.0 => Verdict::Unknown,
            r if r <= 9_000.0 => Verdict::Kept,
            _ => Verdict::Missed,
        };
        let (found, _) = search(Search::new(50.0, 1e7, 0.05, 1), keeps);
        assert!((8_570.0..=9_000.0).contains(&found.sustainable().expect("found")));
    }

    #[test]
    fn a_repeat_that_misses_lowers_the_result_and_widens_the_spread() {
        let (_, tried) = search(Search::new(1_000.0, 1e7, 0.05, 0), limit(37_000.0));
        let bisected = tried.len();
        let keeps =
            |rate: f64, step: usize| if step < bisected { limit(37_000.0)(rate, step) } else { Verdict::Missed };
        let (found, _) = search(Search::new(1_000.0, 1e7, 0.05, 1), keeps);
        let (low, high) = found.spread().expect("spread");
        assert!(low < high && found.sustainable() == Some(low), "{low} {high}");
    }
}
