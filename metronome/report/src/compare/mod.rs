//! Comparison of two sets of runs, percentile by percentile, with confidence intervals.

mod bootstrap;
mod print;

pub use print::print_comparison;

use crate::latencies::Latencies;
use crate::result::{Interval, RunResult};
use bootstrap::{Sample, log_ratios};
use serde::Serialize;

/// The compared percentiles.
const PERCENTILES: [f64; 6] = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99];
/// Minimum number of intervals: fewer say too little about the variance of a run.
const MIN_INTERVALS: usize = 10;
/// Minimum number of requests beyond a percentile: with fewer, chance dominates.
const MIN_BEYOND: f64 = 20.0;

/// The difference between two sets of runs. Its JSON form is printed by `metronome compare -o json`.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub rows: Vec<Row>,
    /// Caveats for the reader: different schedules, failures, too few runs.
    pub notes: Vec<String>,
}

/// One percentile of response or service time. A ratio to zero is `null` in JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub time: Time,
    pub percentile: f64,
    pub before_ms: f64,
    pub after_ms: f64,
    /// After divided by before: below 1 is faster.
    pub ratio: f64,
    #[serde(flatten)]
    pub finding: Finding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Time {
    Response,
    Service,
}

/// The verdict on a ratio. Intervals contain the true ratio with 95% confidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Finding {
    Faster {
        low: f64,
        high: f64,
    },
    Slower {
        low: f64,
        high: f64,
    },
    /// The interval includes 1.
    CannotTell {
        low: f64,
        high: f64,
    },
    /// No interval, with the reason.
    TooLittle {
        reason: String,
    },
}

/// Compares response and service times of runs of one kind with runs of another.
///
/// The intervals come from a block bootstrap over the seconds of the runs (Künsch 1989; Lahiri 2003, chapter 2).
/// Neighbouring seconds are alike, so they are drawn in blocks whose length follows from the autocorrelation. With
/// three runs or more on each side whole runs are drawn first, which covers the variance between runs.
pub fn compare(before: &[RunResult], after: &[RunResult]) -> Comparison {
    let notes = notes(before, after);
    let mut rows = Vec::new();
    for (time, pick) in [(Time::Response, response as fn(&Interval) -> &Latencies), (Time::Service, service)] {
        let (left, right) = (Sample::of(before, pick), Sample::of(after, pick));
        let ratios = log_ratios(&left, &right, &PERCENTILES);
        for (percentile, ratios) in PERCENTILES.iter().zip(ratios) {
            let (before_ms, after_ms) = (left.percentile_ms(*percentile), right.percentile_ms(*percentile));
            let finding = match unfit(before, after, &left, &right, *percentile) {
                Some(reason) => Finding::TooLittle { reason },
                None => finding(ratios.interval((after_ms / before_ms).ln(), left.blocks().min(right.blocks()))),
            };
            rows.push(Row { time, percentile: *percentile, before_ms, after_ms, ratio: after_ms / before_ms, finding });
        }
    }
    Comparison { rows, notes }
}

fn response(interval: &Interval) -> &Latencies {
    &interval.response
}

fn service(interval: &Interval) -> &Latencies {
    &interval.service
}

fn finding((low, high): (f64, f64)) -> Finding {
    match (low > 1.0, high < 1.0) {
        (true, _) => Finding::Slower { low, high },
        (_, true) => Finding::Faster { low, high },
        _ => Finding::CannotTell { low, high },
    }
}

fn unfit(before: &[RunResult], after: &[RunResult], left: &Sample, right: &Sample, percentile: f64) -> Option<String> {
    if before.iter().chain(after).any(|run| !run.valid) {
        return Some("a run is invalid".to_string());
    }
    let intervals = left.intervals().min(right.intervals());
    if intervals < MIN_INTERVALS {
        return Some(format!("{intervals} intervals, needs {MIN_INTERVALS}"));
    }
    let beyond = left.count().min(right.count()) as f64 * (1.0 - percentile / 100.0);
    (beyond < MIN_BEYOND).then(|| format!("{beyond:.0} requests beyond it, needs {MIN_BEYOND}"))
}

fn notes(before: &[RunResult], after: &[RunResult]) -> Vec<String> {
    let mut notes = Vec::new();
    for (side, runs) in [("before", before), ("after", after)] {
        for run in runs.iter().filter(|run| !run.valid) {
            notes.push(format!("{side} is INVALID: {}", run.invalid_reasons.join("; ")));
        }
        let failed: u64 = runs.iter().map(|run| run.requests.failed).sum();
        let all: u64 = runs.iter().map(|run| run.requests.failed + run.requests.succeeded).sum();
        if failed > 0 {
            notes.push(format!("{side}: {failed} of {all} requests failed; their times are in the percentiles"));
        }
    }
    let differs = |what: &str, of: fn(&RunResult) -> String| {
        let all: Vec<String> = before.iter().chain(after).map(of).collect();
        let first = all.first()?;
        let other = all.iter().find(|text| *text != first)?;
        Some(format!("the runs differ in {what}: {first} and {other}"))
    };
    notes.extend(differs("workload", |run| run.workload.clone()));
    notes.extend(differs("schedule", |run| run.schedule.text.clone()));
    notes.extend(differs("parameters", |run| format!("{:?}", run.parameters)));
    notes.extend(differs("settings", |run| format!("{:?}", run.settings)));
    if before.len() < bootstrap::MIN_RUNS || after.len() < bootstrap::MIN_RUNS {
        notes.push(format!(
            "fewer than {0} runs on a side: the intervals leave out the variance between runs; \
             repeat each side {0} times",
            bootstrap::MIN_RUNS
        ));
    }
    notes
}
