//! Every request of the schedule is sent once and answered once, in every protocol mode.

mod common;

use common::{KeyValue, config, constant, run_on};
use cql::{ErrorCode, Version};
use engine::{Failure, Protocol};
use null_server::{NullServer, NullServerConfig, Throttle};
use std::time::Duration;

#[test]
fn every_request_is_recorded_and_acknowledged_once_in_every_protocol_mode() {
    for version in [None, Some(Version::V4), Some(Version::V5)] {
        for lz4 in [false, true] {
            let server = NullServer::start(&NullServerConfig::loopback()).expect("server");
            let mut config = config(constant(20_000.0, 0.5));
            config.threads = 2;
            config.protocol = Protocol { version, lz4, ..Protocol::default() };
            let outcome = run_on(&[server.address()], config, KeyValue::writes(), |_| {}).expect("run");
            let write = &outcome.total.statements[0];
            let mode = format!("{version:?} lz4={lz4}");
            assert_eq!((write.succeeded, write.failed), (10_000, 0), "{mode}: {:?}", outcome.total.failures);
            assert_eq!((write.response.count(), write.service.count()), (10_000, 10_000), "{mode}");
            assert_eq!(server.executed(), 10_000, "{mode}");
            let mut acknowledged: Vec<u64> = outcome.acks.iter().flat_map(|a| a.indexes()).collect();
            acknowledged.sort_unstable();
            assert!(acknowledged.iter().copied().eq(0..10_000), "{mode}");
        }
    }
}

#[test]
fn a_server_that_only_speaks_version_4_is_spoken_to_in_version_4() {
    let server = NullServerConfig { max_version: Version::V4, ..NullServerConfig::loopback() };
    let server = NullServer::start(&server).expect("server");
    let outcome = run_on(&[server.address()], config(constant(1_000.0, 0.2)), KeyValue::writes(), |_| {}).expect("run");
    assert_eq!(outcome.total.statements[0].succeeded, 200);
}

#[test]
fn seconds_add_up_to_the_total() {
    let server = NullServer::start(&NullServerConfig::loopback()).expect("server");
    let mut seconds = Vec::new();
    let mut config = config(constant(5_000.0, 2.5));
    config.threads = 2;
    let outcome = run_on(&[server.address()], config, KeyValue::with_reads(4), |i| seconds.push(i.clone()));
    let outcome = outcome.expect("run");
    assert_eq!(seconds.len(), 3);
    let answered = |s: usize| seconds.iter().map(|i| i.statements[s].response.count()).sum::<u64>();
    assert_eq!([answered(0), answered(1)], [9_375, 3_125]);
    assert_eq!(outcome.total.statements[1].response.count(), 3_125);
    assert!(outcome.total.hiccups.count() > 1_000, "two idle threads for 2.5 s: {}", outcome.total.hiccups.count());
}

#[test]
fn requests_in_flight_on_a_lost_connection_go_to_another_host_with_send_again() {
    for send_again in [true, false] {
        let slow = NullServerConfig {
            throttle: Throttle { delay: Duration::from_millis(200), ..Throttle::default() },
            ..NullServerConfig::loopback()
        };
        let mut slow = Some(NullServer::start(&slow).expect("server"));
        let other = NullServer::start(&NullServerConfig::loopback()).expect("server");
        let hosts = [slow.as_ref().map(NullServer::address).expect("started"), other.address()];
        let mut config = config(constant(500.0, 2.0));
        config.send_again = send_again;
        let outcome = run_on(&hosts, config, KeyValue::writes(), |_| drop(slow.take())).expect("run");
        let write = &outcome.total.statements[0];
        assert_eq!((outcome.total.intended, write.response.count()), (1_000, 1_000), "each counts once");
        if send_again {
            assert_eq!(write.failed, 0, "{:?}", outcome.total.failures);
        } else {
            let [lost] = &outcome.total.failures[..] else { panic!("{:?}", outcome.total.failures) };
            assert_eq!((lost.failure, lost.count), (Failure::ConnectionLost, write.failed));
            assert!(lost.count >= 10, "what was sent within 200 ms is in flight: {}", lost.count);
        }
    }
}

#[test]
fn a_request_that_a_host_turned_away_goes_to_another_one_with_send_again() {
    for code in [ErrorCode::OVERLOADED, ErrorCode::UNAVAILABLE] {
        let refusing = NullServerConfig { turns_away: Some(code), ..NullServerConfig::loopback() };
        let refusing = NullServer::start(&refusing).expect("server");
        let other = NullServer::start(&NullServerConfig::loopback()).expect("server");
        // several at a time, so that a retry does not follow its request
        let mut config = config(constant(20_000.0, 1.0));
        config.send_again = true;
        let outcome = run_on(&[refusing.address(), other.address()], config, KeyValue::writes(), |_| {}).expect("run");
        assert_eq!(outcome.total.statements[0].failed, 0, "{:?}", outcome.total.failures);
    }
}
