//! A service level: `p99<5ms,p99.9<10ms`.

use crate::error::CliError;
use report::{Objective, RunResult, Verdict};

/// Minimum number of requests beyond a percentile.
const REQUESTS_BEYOND: f64 = 20.0;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Level {
    pub(super) objectives: Vec<Objective>,
}

impl Level {
    pub(super) fn parse(text: &str) -> Result<Self, CliError> {
        let objectives: Option<Vec<Objective>> = text.split(',').map(objective).collect();
        let wrong =
            || CliError::Message(format!("--slo '{text}': write percentiles and limits, such as 'p99<5ms,p99.9<10ms'"));
        Ok(Self { objectives: objectives.ok_or_else(wrong)? })
    }

    /// Minimum number of requests for the highest percentile.
    pub(super) fn requests_needed(&self) -> u64 {
        let needed = |o: &Objective| (REQUESTS_BEYOND / (1.0 - o.percentile / 100.0)).round() as u64;
        self.objectives.iter().map(needed).max().unwrap_or(0)
    }

    /// Returns whether a run kept the level, with the deciding numbers.
    pub(super) fn judge(&self, run: &RunResult) -> (Verdict, String) {
        let (answered, needed) = (run.response.count(), self.requests_needed());
        let measured: Vec<String> = self
            .objectives
            .iter()
            .map(|o| {
                format!("p{} {:.3} ms of {} ms", o.percentile, run.response.percentile_ms(o.percentile), o.limit_ms)
            })
            .collect();
        let measured = measured.join(", ");
        if let Some(reason) = run.invalid_reasons.first() {
            return (Verdict::Unknown, reason.clone());
        }
        if answered < needed {
            return (Verdict::Unknown, format!("{answered} requests are too few: {needed} are needed"));
        }
        if run.requests.failed > 0 {
            let class = run.errors.first().map_or("", |e| e.class.as_str());
            return (Verdict::Missed, format!("{} requests failed ({class}); {measured}", run.requests.failed));
        }
        let kept = self.objectives.iter().all(|o| run.response.percentile_ms(o.percentile) < o.limit_ms);
        (if kept { Verdict::Kept } else { Verdict::Missed }, measured)
    }
}

fn objective(text: &str) -> Option<Objective> {
    let (percentile, limit) = text.trim().strip_prefix('p')?.split_once('<')?;
    let percentile: f64 = percentile.trim().parse().ok().filter(|p| (0.0..100.0).contains(p))?;
    let limit_ms = humantime::parse_duration(limit.trim()).ok()?.as_secs_f64() * 1e3;
    (limit_ms > 0.0).then_some(Objective { percentile, limit_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_names_percentiles_and_limits() {
        let level = Level::parse("p99<5ms, p99.9<10ms").expect("valid");
        assert_eq!(level.objectives[0], Objective { percentile: 99.0, limit_ms: 5.0 });
        assert_eq!(level.requests_needed(), 20_000, "20 requests beyond the 99.9th percentile");
        for wrong in ["", "99<5ms", "p99", "p99<5", "p100<5ms", "p99<0ms", "p99>5ms"] {
            assert!(Level::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn too_few_requests_are_not_judged() {
        let level = Level::parse("p99.9<10ms").expect("valid");
        let mut run = RunResult::default();
        (0..19_999).for_each(|_| run.response.record_ns(1_000_000));
        assert_eq!(level.judge(&run).0, Verdict::Unknown);
        run.response.record_ns(1_000_000);
        assert_eq!(level.judge(&run).0, Verdict::Kept);
        run.requests.failed = 1;
        assert_eq!(level.judge(&run).0, Verdict::Missed, "a failed request keeps no service level");
    }
}
