//! The built-in workloads.

use std::collections::BTreeMap;

use workload::{BUILT_IN, Consistency, Overrides, Workload, built_in};

fn load(name: &str, parameters: &[(&str, &str)]) -> Workload {
    let parameters: BTreeMap<_, _> = parameters.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Workload::load(built_in(name).unwrap(), &Overrides { parameters, ..Overrides::default() }).unwrap()
}

#[test]
fn every_built_in_workload_is_valid_and_has_the_name_of_its_entry() {
    for (name, yaml) in BUILT_IN {
        let workload = Workload::load(yaml, &Overrides::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(workload.name(), *name);
        assert!(!workload.about().is_empty());
    }
}

#[test]
fn writes_sends_records_of_170_bytes_at_quorum() {
    let workload = load("writes", &[]);
    let [write] = workload.statements() else { panic!("one statement") };
    assert_eq!(write.cql, "INSERT INTO metronome.records (key, c0, c1, c2, c3, c4) VALUES (?, ?, ?, ?, ?, ?)");
    assert_eq!(write.consistency, Consistency::Quorum);
    let record: usize = workload.expected("records", 7).unwrap()[1..].iter().map(|value| value.bytes.len()).sum();
    assert_eq!(record, 170);
    assert_eq!((0..5).map(|n| workload.pick(n).1).collect::<std::collections::BTreeSet<_>>().len(), 5);
}

#[test]
fn emp_reads_the_percentage_asked_for() {
    let workload = load("emp", &[("read", "90%"), ("rows", "1000")]);
    let reads = (0..102_400).filter(|n| workload.statements()[workload.pick(*n).0].name == "read").count();
    assert_eq!(reads, 92_160);
    let row: usize = workload.expected("emp", 3).unwrap().iter().map(|value| value.bytes.len()).sum();
    assert!((6_000..6_100).contains(&row), "{row} bytes");
}

#[test]
fn emp_is_loaded_row_by_row() {
    let workload = load("emp", &[("read", "0%"), ("rows", "5000"), ("order", "sequence")]);
    let rows: std::collections::BTreeSet<_> = (0..5_120).map(|n| workload.pick(n).1).collect();
    assert_eq!(rows.len(), 5_000);
}

#[test]
fn emp_reads_only_when_asked_for_100_percent() {
    let workload = load("emp", &[("read", "100%")]);
    assert!((0..10_000).all(|n| workload.statements()[workload.pick(n).0].name == "read"));
}

#[test]
fn locations_takes_its_rate_from_the_fleet() {
    let workload = load("locations", &[("drivers", "100000"), ("riders", "200000")]);
    assert_eq!(workload.rate(), Some(10_000.0));
}

#[test]
fn every_app_of_locations_sends_once_in_each_interval() {
    let workload = load("locations", &[("drivers", "1024"), ("riders", "2048")]);
    for round in 0..3 {
        let senders: std::collections::BTreeSet<_> =
            (round * 3072..(round + 1) * 3072).map(|n| workload.pick(n)).collect();
        let expected: std::collections::BTreeSet<_> = (0..1024)
            .map(|driver| (0, round * 1024 + driver))
            .chain((0..2048).map(|rider| (1, round * 2048 + rider)))
            .collect();
        assert!(
            senders == expected,
            "round {round}: {:?}",
            senders.symmetric_difference(&expected).take(5).collect::<Vec<_>>()
        );
    }
}

#[test]
fn locations_moves_each_app_a_little_at_a_time() {
    let workload = load("locations", &[("drivers", "100")]);
    let at = |row| {
        let values = workload.expected("driver_locations", row).unwrap();
        let degrees = |name: &str| {
            let value = values.iter().find(|value| value.column == name).unwrap();
            f64::from_be_bytes(value.bytes.clone().try_into().unwrap())
        };
        (degrees("latitude"), degrees("longitude"))
    };
    for driver in 0..100 {
        let ((north, east), (later_north, later_east)) = (at(driver), at(driver + 100));
        let metres =
            ((later_north - north) * 111_320.0).hypot((later_east - east) * 111_320.0 * north.to_radians().cos());
        assert!((50.0..260.0).contains(&metres), "driver {driver} moved {metres} m");
        assert!((north - 37.7749).hypot(east + 122.4194) < 0.5);
    }
}
