//! Result files and interval logs can be read by this program and by others.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use report::{FORMAT, HlogWriter, Interval, Latencies, ResultError, ResultFile, RunResult};

fn latencies(times_ns: impl IntoIterator<Item = u64>) -> Latencies {
    let mut all = Latencies::new();
    times_ns.into_iter().for_each(|ns| all.record_ns(ns));
    all
}

fn folder(test: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("metronome-report-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn percentiles_are_right_to_three_digits_up_to_an_hour() {
    let all = latencies((1..=100_000).map(|n| n * 1_000));
    for (percentile, expected) in [(50.0, 50.0), (99.0, 99.0), (99.9, 99.9)] {
        assert!((all.percentile_ms(percentile) / expected - 1.0).abs() < 0.001, "p{percentile}");
    }
    let longest = latencies([u64::MAX]);
    assert!((longest.max_ms() / 3_600_000.0 - 1.0).abs() < 0.001);
    assert_eq!(longest.count(), 1);
}

#[test]
fn a_percentile_needs_a_request_beyond_it() {
    let all = latencies((1..=1_000).map(|n| n * 1_000_000));
    assert!(
        all.supported_percentile_ms(99.9).is_some()
            && all.supported_percentile_ms(99.99).is_none()
            && all.supported_percentile_ms(100.0).is_some()
    );
    assert_eq!(Latencies::new().supported_percentile_ms(100.0), None);
}

#[test]
fn packing_changes_nothing_but_the_size() {
    let open = latencies((1..=10_000).map(|n| n * n));
    let mut packed = open.clone();
    packed.pack();
    assert!(packed == open && packed.to_base64() == open.to_base64());
    assert_eq!(
        (packed.count(), packed.max_ms(), packed.percentile_ms(99.0)),
        (10_000, open.max_ms(), open.percentile_ms(99.0))
    );
    packed.record_ns(5);
    assert_eq!(packed.count(), 10_001);
}

#[test]
fn interval_logs_are_read_by_the_standard_parser_and_lose_nothing() {
    let folder = folder("hlog");
    let path = folder.join("run.hlog");
    let mut log = HlogWriter::create(&path, 1_500_000_000_250, "emp, constant 1000/s\nsecond line").unwrap();
    let intervals = [latencies((1..=500).map(|n| n * 12_345)), Latencies::new(), latencies([7, 3_000_000_000_000])];
    for (at, interval) in intervals.iter().enumerate() {
        log.write("response", at as u64 * 1_000, 1_000, interval).unwrap();
        log.write("read, service", at as u64 * 1_000, 1_000, interval).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap();
    let entries: Vec<LogEntry> = IntervalLogIterator::new(&bytes).map(|entry| entry.expect("a standard log")).collect();
    let base = std::time::Duration::from_millis(1_500_000_000_250);
    assert!(matches!(entries[0], LogEntry::StartTime(start) if start == base));
    assert!(matches!(entries[1], LogEntry::BaseTime(start) if start == base));
    assert_eq!(entries.len(), 2 + 6);
    for (at, entry) in entries[2..].iter().enumerate() {
        let LogEntry::Interval(line) = entry else { panic!("{entry:?}") };
        assert_eq!(line.tag().unwrap().as_str(), ["response", "read__service"][at % 2]);
        assert_eq!((line.start_timestamp().as_millis(), line.duration().as_millis()), (at as u128 / 2 * 1_000, 1_000));
        let raw = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, line.encoded_histogram()).unwrap();
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut raw.as_slice()).unwrap();
        assert_eq!(read, *intervals[at / 2].histogram());
        assert!((line.max() - intervals[at / 2].max_ms()).abs() < 0.001);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_log_that_cannot_be_written_says_where() {
    let missing = std::path::Path::new("/nowhere/run.hlog");
    let error = HlogWriter::create(missing, 0, "").err().unwrap();
    assert!(error.to_string().contains("interval log /nowhere/run.hlog: No such file"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_at_the_interval_it_loses() {
    let full = std::path::Path::new("/dev/full");
    let error = HlogWriter::create(full, 0, "").err().unwrap();
    assert!(error.to_string().contains("No space left"), "{error}");
}

#[test]
fn a_result_is_the_same_after_writing_and_reading() {
    let folder = folder("result");
    let path = folder.join("run.json");
    let interval = Interval {
        start_ms: 0,
        duration_ms: 1_000,
        succeeded: 3,
        response: latencies([1, 2, 3]),
        ..Interval::default()
    };
    let mut run =
        RunResult { format: FORMAT, workload: "emp".into(), intervals: vec![interval], ..RunResult::default() };
    run.response = latencies((1..=1_000).map(|n| n * n));
    run.invalidate("behind by 20 ms");
    ResultFile::Run(Box::new(run.clone())).write(&path).unwrap();
    let ResultFile::Run(read) = ResultFile::read(&path).unwrap() else { panic!("a run") };
    assert_eq!(serde_json::to_value(&run).unwrap(), serde_json::to_value(&read).unwrap());
    assert!(run.response == read.response && run.intervals[0].response == read.intervals[0].response);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing but the result is left");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_result_that_cannot_be_read_says_which_and_why() {
    let folder = folder("refused");
    let path = folder.join("other.json");
    assert!(matches!(ResultFile::read(&path), Err(ResultError::Read { .. })));
    std::fs::write(&path, "{\"kind\": \"run\"}").unwrap();
    let error = ResultFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("other.json is not a result file of metronome"), "{error}");
    let newer = RunResult { format: FORMAT + 1, ..RunResult::default() };
    ResultFile::Run(Box::new(newer)).write(&path).unwrap();
    let error = ResultFile::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("but this program reads up to 1: use a newer metronome"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_result_that_cannot_be_written_leaves_what_was_there() {
    let folder = folder("kept");
    let target = folder.join("folder");
    std::fs::create_dir(&target).unwrap();
    let error = ResultFile::Run(Box::default()).write(&target).unwrap_err();
    assert!(matches!(error, ResultError::Write { .. }), "{error}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}
