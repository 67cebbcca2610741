//! A schedule holds every request once, at its time, for any number of lanes.

use schedule::{Arrivals, Piece, Profile, ProfileError, Schedule, Start, Trace, TraceError};
use std::sync::Arc;

const SECOND_NS: u64 = 1_000_000_000;

fn even(pieces: Vec<Piece>) -> Schedule {
    Schedule::Rate { profile: Profile::new(pieces).expect("profile"), arrivals: Arrivals::Even }
}

fn all(schedule: &Schedule, lanes: u32) -> Vec<Start> {
    let mut starts: Vec<Start> = (0..lanes).flat_map(|l| schedule.lane(l, lanes)).collect();
    starts.sort_by_key(|s| s.index);
    starts
}

#[test]
fn a_constant_rate_spaces_requests_evenly_and_ends_on_time() {
    let starts = all(&even(vec![Piece { from: 10_000.0, to: 10_000.0, seconds: 2.0 }]), 1);
    assert_eq!(starts.len(), 20_000);
    for s in &starts {
        assert!(s.at_ns.abs_diff(s.index * 100_000) <= 1, "{s:?}");
    }
}

#[test]
fn lanes_share_a_schedule_without_loss_or_overlap() {
    let schedule = even(vec![Piece { from: 0.0, to: 5_000.0, seconds: 3.0 }]);
    assert_eq!(all(&schedule, 1), all(&schedule, 7));
}

#[test]
fn a_ramp_offers_the_area_under_its_line() {
    let schedule = even(vec![Piece { from: 0.0, to: 1_000.0, seconds: 10.0 }]);
    let starts = all(&schedule, 2);
    assert_eq!(starts.len(), 5_000);
    assert_eq!(schedule.expected_requests(), Some(5_000));
    let first_half = starts.iter().filter(|s| s.at_ns < 5 * SECOND_NS).count();
    assert!(first_half.abs_diff(1_250) <= 1, "{first_half}");
}

#[test]
fn steps_hold_each_rate_for_its_time() {
    let step = |rate, seconds| Piece { from: rate, to: rate, seconds };
    let starts = all(&even(vec![step(100.0, 1.0), step(300.0, 1.0), step(50.0, 2.0)]), 3);
    let within =
        |from: u64, to: u64| starts.iter().filter(|s| s.at_ns >= from * SECOND_NS && s.at_ns < to * SECOND_NS).count();
    assert_eq!([within(0, 1), within(1, 2), within(2, 4)], [100, 300, 100]);
}

#[test]
fn a_pause_between_steps_offers_nothing() {
    let step = |rate, seconds| Piece { from: rate, to: rate, seconds };
    let starts = all(&even(vec![step(10.0, 1.0), step(0.0, 5.0), step(10.0, 1.0)]), 1);
    assert_eq!(starts.len(), 20);
    assert!(starts.iter().all(|s| s.at_ns < SECOND_NS || s.at_ns >= 6 * SECOND_NS));
}

#[test]
fn poisson_arrivals_have_the_rate_and_the_spread_of_a_poisson_process() {
    let profile = Profile::constant(10_000.0, 20.0).expect("profile");
    let schedule = Schedule::Rate { profile, arrivals: Arrivals::Poisson { seed: 7 } };
    let mut starts: Vec<u64> = all(&schedule, 4).iter().map(|s| s.at_ns).collect();
    starts.sort_unstable();
    // 200,000 expected, standard deviation 447: five of them.
    assert!(starts.len().abs_diff(200_000) < 2_240, "{}", starts.len());
    let gaps: Vec<f64> = starts.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
    let coefficient = variance.sqrt() / mean;
    assert!((coefficient - 1.0).abs() < 0.02, "gaps of an exponential vary as much as they are long: {coefficient}");
    assert_eq!(all(&schedule, 4), all(&schedule, 4), "same seed, same arrivals");
}

#[test]
fn an_endless_schedule_goes_on() {
    let profile = Profile::constant(1.0, f64::INFINITY).expect("profile");
    let schedule = Schedule::Rate { profile, arrivals: Arrivals::Even };
    assert_eq!(schedule.duration_ns(), None);
    assert_eq!(schedule.lane(0, 1).nth(86_400).map(|s| s.at_ns), Some(86_400 * SECOND_NS));
}

#[test]
fn a_trace_is_replayed_as_recorded() {
    let trace = Trace::parse("# seconds\n0.5\n0.25,read\n\n1.75 write\n").expect("trace");
    let starts = all(&Schedule::Trace(Arc::new(trace)), 2);
    assert_eq!(starts.iter().map(|s| s.at_ns).collect::<Vec<_>>(), [250_000_000, 500_000_000, 1_750_000_000]);
}

#[test]
fn a_wrong_schedule_names_what_is_wrong() {
    assert_eq!(Profile::constant(-1.0, 1.0), Err(ProfileError::Rate(-1.0)));
    assert_eq!(Profile::constant(5.0, 0.0), Err(ProfileError::Duration(0.0)));
    assert_eq!(Profile::constant(0.0, 5.0), Err(ProfileError::Empty));
    let not_seconds = TraceError::NotSeconds { line: 2, text: "soon".into() };
    assert_eq!(Trace::parse("1.0\nsoon\n"), Err(not_seconds));
    assert_eq!(Trace::parse("\n"), Err(TraceError::Empty));
}
