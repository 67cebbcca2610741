//! The measurements when the server, the connection or the generator misbehaves.

mod common;

use common::{KeyValue, config, constant, run_on};
use engine::{Failure, Outcome, RunError};
use null_server::{NullServer, NullServerConfig, Stall, Throttle};
use report::Latencies;
use std::net::SocketAddr;
use std::time::Duration;

const MILLISECOND_NS: u64 = 1_000_000;

fn stalling() -> NullServer {
    let stall = Some(Stall { after: Duration::from_secs(2), length: Duration::from_secs(1) });
    let throttle = Throttle { stall, ..Throttle::default() };
    NullServer::start(&NullServerConfig { throttle, ..NullServerConfig::loopback() }).expect("server")
}

fn between_ms(times: &Latencies, from: u64, to: u64) -> u64 {
    times.histogram().count_between(from * MILLISECOND_NS, to * MILLISECOND_NS)
}

fn failed(outcome: &Outcome, failure: Failure) -> u64 {
    outcome.total.failures.iter().filter(|f| f.failure == failure).map(|f| f.count).sum()
}

/// About 10,000 requests were due during the stall of one second: the first waited one second, the last not at all.
/// `slack` is the tolerance for a busy machine, as a share.
fn assert_shows_the_stall(response: &Latencies, slack: f64) {
    let close = |seen: u64, expected: f64| (seen as f64 - expected).abs() <= expected * slack;
    for tenth in 1..9 {
        let waited = between_ms(response, tenth * 100, (tenth + 1) * 100);
        assert!(close(waited, 1_000.0), "{waited} requests waited for {tenth} to {} tenths of a second", tenth + 1);
    }
    let waited = between_ms(response, 50, 2_000);
    assert!(close(waited, 9_500.0), "{waited} requests waited for more than 50 ms");
}

/// The first of four runs without a pause of this machine or of the generator; otherwise a fifth run.
fn undisturbed(run: impl Fn() -> Outcome) -> Outcome {
    let calm =
        |outcome: &Outcome| outcome.total.hiccups.max_ms() < 20.0 && outcome.total.behind_ns < 20 * MILLISECOND_NS;
    let first_four = (0..4).map(|_| run()).find(calm);
    first_four.unwrap_or_else(run)
}

#[test]
fn a_stall_of_one_second_shows_in_ten_thousand_response_times() {
    let outcome = undisturbed(|| {
        let server = stalling();
        let config = config(constant(10_000.0, 5.0));
        run_on(&[server.address()], config, KeyValue::writes(), |_| {}).expect("run")
    });
    let write = &outcome.total.statements[0];
    assert_eq!((write.succeeded, write.failed), (50_000, 0));
    assert_shows_the_stall(&write.response, 0.25);
}

#[test]
fn a_blocking_client_hides_a_stall_in_service_times_but_not_in_response_times() {
    const CONNECTIONS: usize = 8;
    let outcome = undisturbed(|| {
        let server = stalling();
        let mut config = config(constant(10_000.0, 5.0));
        config.in_flight = 1;
        config.connections_per_host = CONNECTIONS;
        run_on(&[server.address()], config, KeyValue::writes(), |_| {}).expect("run")
    });
    let write = &outcome.total.statements[0];
    assert_eq!((write.succeeded, write.failed), (50_000, 0));
    // With one request in flight on each connection the backlog drains slowly, and that adds to the wait.
    assert_shows_the_stall(&write.response, 0.5);
    let waited = between_ms(&write.service, 500, 1_100);
    assert!(waited <= CONNECTIONS as u64, "service times show {waited} of the 10,000 requests that waited");
    assert!(waited > 0, "the requests in flight when the stall began waited in service");
}

#[test]
fn a_timed_out_request_is_a_failure_and_stays_in_both_histograms() {
    let server = stalling();
    let mut config = config(constant(1_000.0, 4.0));
    config.request_timeout = Duration::from_millis(200);
    let outcome = run_on(&[server.address()], config, KeyValue::writes(), |_| {}).expect("run");
    let write = &outcome.total.statements[0];
    assert_eq!(write.succeeded + write.failed, 4_000);
    assert_eq!((write.response.count(), write.service.count()), (4_000, 4_000));
    let timed_out = failed(&outcome, Failure::ClientTimeout);
    assert!(timed_out.abs_diff(800) < 100, "those of the first 800 ms of the stall: {timed_out}");
    assert!(between_ms(&write.service, 199, 1_500) >= timed_out, "a timed-out request took at least its timeout");
    assert_eq!(outcome.late_responses, timed_out, "the answers that came too late are counted");
    let acknowledged: u64 = outcome.acks.iter().map(|a| a.indexes().count() as u64).sum();
    assert_eq!(acknowledged, write.succeeded, "an answer that came too late is no acknowledgement");
}

#[test]
fn a_server_that_dies_and_comes_back_leaves_no_gap_in_the_record() {
    let server = NullServer::start(&NullServerConfig::loopback()).expect("server");
    let address = server.address();
    let restart = std::thread::spawn(move || {
        while server.executed() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_secs(1));
        drop(server);
        std::thread::sleep(Duration::from_secs(1));
        let again = NullServer::start(&NullServerConfig { listen: address, ..NullServerConfig::loopback() });
        std::thread::sleep(Duration::from_secs(3));
        drop(again.expect("the port is free again"));
    });
    let outcome = run_on(&[address], config(constant(5_000.0, 4.0)), KeyValue::writes(), |_| {}).expect("run");
    restart.join().expect("server thread");
    let write = &outcome.total.statements[0];
    assert_eq!(write.response.count(), 20_000, "every request of the schedule is recorded");
    assert_eq!(write.succeeded + write.failed, 20_000);
    let nowhere = failed(&outcome, Failure::NoConnection);
    assert!((3_500..9_000).contains(&nowhere), "about a second without a server: {nowhere}");
    assert!(write.succeeded > 10_000, "{} succeeded before and after", write.succeeded);
    let notes = outcome.notes.join("\n");
    assert!(notes.contains("lost the connection") && notes.contains("connected to"), "{notes}");
}

#[test]
fn a_host_that_is_down_is_named_and_the_others_carry_the_load() {
    let server = NullServer::start(&NullServerConfig::loopback()).expect("server");
    let down = free_address();
    let outcome =
        run_on(&[down, server.address()], config(constant(2_000.0, 1.0)), KeyValue::writes(), |_| {}).expect("run");
    assert_eq!(outcome.total.statements[0].succeeded, 2_000);
    assert!(outcome.notes.iter().any(|n| n.contains(&down.to_string())), "{:?}", outcome.notes);
}

#[test]
fn a_run_without_any_host_is_refused_with_the_reason() {
    let refused = run_on(&[free_address()], config(constant(100.0, 1.0)), KeyValue::writes(), |_| {});
    let Err(RunError::Connection(reason)) = refused else { panic!("{refused:?}") };
    assert!(reason.to_string().contains("refused"), "{reason}");
}

#[test]
fn a_generator_that_cannot_keep_up_says_so_and_its_run_is_invalid() {
    let server = NullServer::start(&NullServerConfig::loopback()).expect("server");
    let outcome = run_on(&[server.address()], config(constant(40_000_000.0, 0.1)), KeyValue::writes(), |_| {});
    let outcome = outcome.expect("run");
    assert_eq!(outcome.total.statements[0].response.count(), 4_000_000, "late requests are sent, not skipped");
    assert!(outcome.total.behind_ns > 100 * MILLISECOND_NS, "{} ns", outcome.total.behind_ns);
    assert!(outcome.invalid.iter().any(|reason| reason.contains("behind its schedule")), "{:?}", outcome.invalid);
}

#[test]
fn requests_that_never_found_a_connection_are_recorded_as_unsent() {
    let throttle = Throttle { delay: Duration::from_millis(500), ..Throttle::default() };
    let server = NullServer::start(&NullServerConfig { throttle, ..NullServerConfig::loopback() }).expect("server");
    let mut config = config(constant(100.0, 1.0));
    config.in_flight = 1;
    config.request_timeout = Duration::from_secs(1);
    let outcome = run_on(&[server.address()], config, KeyValue::writes(), |_| {}).expect("run");
    let write = &outcome.total.statements[0];
    assert_eq!(write.response.count(), 100);
    assert!(failed(&outcome, Failure::Unsent) > 50, "two answers a second for at most three seconds");
    assert!(outcome.invalid.iter().any(|reason| reason.contains("unsent")), "{:?}", outcome.invalid);
}

/// An address of the loopback on which nothing listens.
fn free_address() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("port");
    listener.local_addr().expect("address")
}
