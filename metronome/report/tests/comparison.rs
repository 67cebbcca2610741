//! `compare` finds real differences, and gives no verdict without enough data.

use report::{Comparison, Finding, Interval, Requests, RunResult, Time, compare};

/// Random numbers for test data: SplitMix64, and normal numbers as sums of uniform ones.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// Parameters of a test run with log-normal times, whose level wanders from second to second with the autocorrelation
/// `memory`.
struct Recipe {
    seconds: usize,
    per_second: usize,
    median_ms: f64,
    wander: f64,
    memory: f64,
    stall_at_s: Option<usize>,
}

const STEADY: Recipe =
    Recipe { seconds: 60, per_second: 500, median_ms: 1.0, wander: 0.05, memory: 0.5, stall_at_s: None };

fn run(recipe: &Recipe, seed: u64) -> RunResult {
    let mut random = Random(seed);
    let mut level = random.normal() * recipe.wander;
    let mut intervals = Vec::new();
    for second in 0..recipe.seconds {
        level = recipe.memory * level + (1.0 - recipe.memory.powi(2)).sqrt() * recipe.wander * random.normal();
        let mut interval = Interval { start_ms: second as u64 * 1_000, duration_ms: 1_000, ..Interval::default() };
        for nth in 0..recipe.per_second {
            let service_ms = recipe.median_ms * (level + 0.4 * random.normal()).exp();
            let stalled = recipe.stall_at_s == Some(second);
            let waited_ms = if stalled { 1_000.0 * nth as f64 / recipe.per_second as f64 } else { 0.0 };
            interval.service.record_ns((service_ms * 1e6) as u64);
            interval.response.record_ns(((service_ms + waited_ms) * 1e6) as u64);
        }
        interval.succeeded = recipe.per_second as u64;
        intervals.push(interval);
    }
    let requests = Requests { succeeded: (recipe.seconds * recipe.per_second) as u64, ..Requests::default() };
    RunResult { valid: true, requests, intervals, ..RunResult::default() }
}

fn finding(comparison: &Comparison, time: Time, percentile: f64) -> &Finding {
    &comparison.rows.iter().find(|row| row.time == time && row.percentile == percentile).unwrap().finding
}

#[test]
fn a_run_that_is_half_as_fast_again_is_found_slower_at_every_percentile_with_enough_requests() {
    let slower = Recipe { median_ms: 1.5, ..STEADY };
    let comparison = compare(&[run(&STEADY, 1)], &[run(&slower, 2)]);
    for percentile in [50.0, 90.0, 95.0, 99.0] {
        let Finding::Slower { low, high } = finding(&comparison, Time::Response, percentile) else {
            panic!("p{percentile}: {:?}", comparison.rows)
        };
        assert!(*low < 1.5 && 1.5 < *high && high - low < 0.3, "p{percentile}: {low} to {high}");
    }
    let back = compare(&[run(&slower, 2)], &[run(&STEADY, 1)]);
    assert!(matches!(finding(&back, Time::Service, 99.0), Finding::Faster { .. }));
}

#[test]
fn two_runs_of_equal_servers_rarely_differ() {
    let recipe = Recipe { memory: 0.6, per_second: 100, ..STEADY };
    let mut wrong = [0; 2];
    for pair in 0..25 {
        let comparison = compare(&[run(&recipe, 2 * pair + 1)], &[run(&recipe, 2 * pair + 2)]);
        for (count, percentile) in wrong.iter_mut().zip([50.0, 99.0]) {
            let found = finding(&comparison, Time::Service, percentile);
            *count += usize::from(matches!(found, Finding::Faster { .. } | Finding::Slower { .. }));
        }
    }
    assert!(wrong.iter().all(|count| *count <= 3), "{wrong:?} of 25 pairs differ at p50 and p99");
}

#[test]
fn one_stall_does_not_make_a_tail_percentile_slower() {
    let stalled = Recipe { stall_at_s: Some(30), ..STEADY };
    let comparison = compare(&[run(&STEADY, 1)], &[run(&stalled, 2)]);
    let row = comparison.rows.iter().find(|row| row.time == Time::Response && row.percentile == 99.0).unwrap();
    assert!(row.ratio > 50.0);
    assert!(matches!(row.finding, Finding::CannotTell { .. }), "{row:?}");
}

#[test]
fn percentiles_with_too_few_requests_beyond_them_get_no_verdict() {
    let comparison = compare(&[run(&STEADY, 1)], &[run(&STEADY, 2)]);
    let Finding::TooLittle { reason } = finding(&comparison, Time::Response, 99.99) else { panic!() };
    assert_eq!(reason, "3 requests beyond it, needs 20");
}

#[test]
fn short_and_empty_runs_get_no_verdict() {
    let short = Recipe { seconds: 5, per_second: 10_000, ..STEADY };
    for runs in [[run(&short, 1), run(&short, 2)], [RunResult { valid: true, ..RunResult::default() }, run(&STEADY, 2)]]
    {
        let [before, after] = runs;
        let comparison = compare(&[before], &[after]);
        assert!(
            comparison.rows.iter().all(|row| matches!(row.finding, Finding::TooLittle { .. })),
            "{:?}",
            comparison.rows
        );
    }
}

#[test]
fn an_invalid_run_decides_nothing() {
    let mut invalid = run(&STEADY, 2);
    invalid.invalidate("behind by 900 ms");
    let comparison = compare(&[run(&STEADY, 1)], &[invalid]);
    assert!(comparison.rows.iter().all(|row| row.finding == Finding::TooLittle { reason: "a run is invalid".into() }));
    assert!(comparison.notes.contains(&"after is INVALID: behind by 900 ms".to_string()));
}

#[test]
fn runs_that_differ_in_more_than_one_thing_are_pointed_out() {
    let mut other = run(&STEADY, 2);
    other.schedule.text = "constant 500/s".into();
    other.requests.failed = 3;
    let comparison = compare(&[run(&STEADY, 1)], &[other]);
    assert!(
        comparison.notes.iter().any(|note| note.starts_with("the runs differ in schedule")),
        "{:?}",
        comparison.notes
    );
    assert!(
        comparison.notes.iter().any(|note| note.starts_with("after: 3 of 30003 requests failed")),
        "{:?}",
        comparison.notes
    );
}

#[test]
fn several_runs_on_each_side_cover_what_differs_from_run_to_run() {
    // Each run has its own level, which a single pair shows as a difference.
    let run_at = |level: f64, seed| run(&Recipe { median_ms: level, wander: 0.01, ..STEADY }, seed);
    let single = compare(&[run_at(1.0, 1)], &[run_at(1.1, 2)]);
    assert!(matches!(finding(&single, Time::Response, 50.0), Finding::Slower { .. }));
    let before = [run_at(1.0, 1), run_at(1.15, 3), run_at(0.9, 5), run_at(1.05, 7)];
    let after = [run_at(1.1, 2), run_at(0.95, 4), run_at(1.0, 6), run_at(1.08, 8)];
    let several = compare(&before, &after);
    assert!(matches!(finding(&several, Time::Response, 50.0), Finding::CannotTell { .. }), "{:?}", several.rows[0]);
    assert!(!several.notes.iter().any(|note| note.contains("fewer than")));
}

#[test]
fn the_json_form_has_for_each_percentile_its_interval_or_the_reason_for_none() {
    let slower = Recipe { median_ms: 1.5, ..STEADY };
    let json = serde_json::to_value(compare(&[run(&STEADY, 1)], &[run(&slower, 2)])).unwrap();
    let row = |percentile: f64| {
        let rows = json["rows"].as_array().unwrap();
        rows.iter().find(|row| row["time"] == "response" && row["percentile"] == percentile).unwrap()
    };
    let (p99, rare) = (row(99.0), row(99.99));
    assert_eq!(p99["verdict"], "slower");
    let number = |key: &str| p99[key].as_f64().unwrap();
    assert!(number("low") < number("ratio") && number("ratio") < number("high"), "{p99}");
    assert!((number("after_ms") / number("before_ms") - number("ratio")).abs() < 1e-9, "{p99}");
    assert_eq!((rare["verdict"].as_str(), rare["low"].as_f64()), (Some("too_little"), None));
    assert!(rare["reason"].as_str().unwrap().contains("needs 20"), "{rare}");
    assert!(json["notes"][0].as_str().unwrap().contains("fewer than 3 runs"), "{json}");
}
