//! The program against null servers.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use null_server::{NullServer, NullServerConfig, Throttle};
use report::Latencies;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A temporary directory for one test, removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("metronome-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("temporary directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("the test's own directory");
    }
}

fn server(throttle: Throttle) -> (NullServer, String) {
    let server = NullServer::start(&NullServerConfig { throttle, ..NullServerConfig::loopback() }).expect("server");
    let address = server.address().to_string();
    (server, address)
}

/// The program beside the folder of this test. `CARGO_BIN_EXE_metronome` would be the path in the clone that compiled
/// this test, which may be another.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    test.ancestors().nth(2).expect("target/debug").join("metronome")
}

fn metronome(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("120").arg(program()).args(arguments).current_dir(directory);
    command.env_remove("METRONOME_PASSWORD").output().expect("timeout of coreutils")
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_run_leaves_a_result_an_interval_log_and_its_acknowledged_writes() {
    let (_server, host) = server(Throttle::default());
    let scratch = Scratch::new("run");
    let run =
        ["run", "writes", "--rate", "2000", "--duration", "2s", "--hosts", &host, "--hlog", "a.hlog", "-o", "a.json"];
    let output = metronome(&scratch.0, &run);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let Ok(report::ResultFile::Run(result)) = report::ResultFile::read(&scratch.0.join("a.json")) else {
        panic!("a.json is not a result of a run")
    };
    assert_eq!((result.requests.intended, result.requests.sent, result.requests.succeeded), (4_000, 4_000, 4_000));
    assert_eq!((result.response.count(), result.service.count()), (4_000, 4_000));
    let log = std::fs::read_to_string(scratch.0.join("a.hlog")).expect("log");
    assert!(log.matches("Tag=response").count() >= 2 && log.matches("Tag=service").count() >= 2, "{log}");
    assert!(scratch.0.join("a.acks").exists());
    for command in ["plot", "compare"] {
        let output = metronome(&scratch.0, &[command, "a.json", "a.json"]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text_of(&output));
    }
    assert!(std::fs::read_to_string(scratch.0.join("report.html")).expect("page").contains("<svg"));
    let output = metronome(&scratch.0, &["compare", "a.json", "a.json", "-o", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    let first = &json["rows"][0];
    assert_eq!((first["time"].as_str(), first["percentile"].as_f64()), (Some("response"), Some(50.0)), "{json}");
    assert_eq!((first["ratio"].as_f64(), first["verdict"].as_str()), (Some(1.0), Some("too_little")), "{json}");
}

#[test]
fn a_result_records_whether_requests_were_sent_again() {
    let (_server, host) = server(Throttle::default());
    let scratch = Scratch::new("again");
    for (option, recorded) in [(None, "off"), (Some("--send-again"), "on")] {
        let run = ["run", "writes", "--rate", "100", "--duration", "1s", "--hosts", &host, "-o", "a.json"];
        let output = metronome(&scratch.0, &[&run[..], option.as_slice()].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
        let Ok(report::ResultFile::Run(result)) = report::ResultFile::read(&scratch.0.join("a.json")) else {
            panic!("a.json is not a result of a run")
        };
        assert_eq!(result.settings.get("send again").map(String::as_str), Some(recorded));
    }
}

/// The sum of all intervals of a tag in an interval log.
fn logged(path: &Path, tag: &str) -> Histogram<u64> {
    let bytes = std::fs::read(path).expect("log");
    let mut sum = Latencies::new().histogram().into_owned();
    for entry in IntervalLogIterator::new(&bytes) {
        if let LogEntry::Interval(line) = entry.expect("a standard log")
            && line.tag().is_some_and(|t| t.as_str() == tag)
        {
            let interval = Latencies::from_base64(line.encoded_histogram()).expect("a histogram");
            sum.add(&*interval.histogram()).expect("the same bounds");
        }
    }
    sum
}

#[test]
fn two_processes_start_together_and_their_logs_add_up_exactly() {
    let (_server, host) = server(Throttle::default());
    let scratch = Scratch::new("together");
    let start = SystemTime::now() + Duration::from_secs(4);
    let start_unix_ms = start.duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64;
    let start = humantime::format_rfc3339_millis(start).to_string();
    let runs: Vec<_> = ["a", "b"]
        .map(|name| {
            let (json, log) = (format!("{name}.json"), format!("{name}.hlog"));
            let sent = ["--rate", "1000", "--duration", "2s", "--start-at", &start, "--hosts", &host];
            let kept = ["--hlog", &log, "-o", &json];
            let mut command = Command::new("timeout");
            command.arg("60").arg(program()).args(["run", "writes", "-q"]).args(sent).args(kept);
            command.current_dir(&scratch.0).spawn().expect("timeout of coreutils")
        })
        .into_iter()
        .collect();
    for mut run in runs {
        assert_eq!(run.wait().expect("a process").code(), Some(0));
    }
    let mut results = [Latencies::new(), Latencies::new()];
    for name in ["a", "b"] {
        let Ok(report::ResultFile::Run(result)) = report::ResultFile::read(&scratch.0.join(format!("{name}.json")))
        else {
            panic!("{name}.json is not a result of a run")
        };
        assert_eq!(result.started_unix_ms, start_unix_ms, "{name}");
        results[0].add(&result.response);
        results[1].add(&result.service);
    }
    let (a, b) = (scratch.0.join("a.hlog"), scratch.0.join("b.hlog"));
    for (tag, result) in ["response", "service"].into_iter().zip(results) {
        let mut logs = logged(&a, tag);
        logs.add(logged(&b, tag)).expect("the same bounds");
        assert_eq!(logs.len(), 4_000, "{tag}");
        assert_eq!(logs, *result.histogram(), "{tag}");
    }
    let base = |log: &Path| {
        let text = std::fs::read_to_string(log).expect("log");
        text.lines().find(|l| l.starts_with("#[BaseTime")).expect("a base time").to_owned()
    };
    assert_eq!(base(&a), base(&b), "times in both logs count from the same moment");
}

#[test]
fn a_start_that_has_passed_is_refused_before_anything_is_sent() {
    let (server, host) = server(Throttle::default());
    let scratch = Scratch::new("past");
    let run = ["run", "writes", "--rate", "1", "--start-at", "2020-01-01T00:00:00Z", "--hosts", &host];
    let output = metronome(&scratch.0, &run);
    assert_eq!(output.status.code(), Some(1));
    assert!(text_of(&output).contains("choose a later --start-at"), "{}", text_of(&output));
    assert_eq!(server.executed(), 0);
}

#[test]
fn a_wrong_command_is_refused_with_the_next_step_and_sends_nothing() {
    let (server, host) = server(Throttle::default());
    let scratch = Scratch::new("wrong");
    std::fs::write(scratch.0.join("bad.yaml"), "name: bad\ntables: {}\nstatements: {}\n").expect("file");
    let cases: [(&[&str], &str); 7] = [
        (&["run", "nosuch", "--rate", "1"], "no built-in workload `nosuch`"),
        (&["run", "writes"], "--rate"),
        (&["run", "writes", "--rate", "1", "--ramp", "1..2"], "cannot be used with"),
        (&["run", "writes", "--ramp", "fast"], "FROM..TO"),
        (&["run", "-f", "bad.yaml", "--rate", "1"], "tables"),
        (&["run", "writes", "--rate", "1", "-o", "no/such/dir/a.json"], "no/such/dir"),
        (&["sustain", "writes", "--slo", "fast"], "p99<5ms"),
    ];
    for (arguments, expected) in cases {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--hosts", &host]).collect();
        let output = metronome(&scratch.0, &arguments);
        assert!(!output.status.success(), "{arguments:?} succeeded");
        assert!(text_of(&output).contains(expected), "{arguments:?}: {}", text_of(&output));
    }
    assert_eq!(server.executed(), 0);
}

#[test]
fn a_disk_that_fills_up_while_logging_marks_the_result_and_does_not_end_the_run() {
    let scratch = Scratch::new("full");
    let small = scratch.0.join("small");
    std::fs::create_dir(&small).expect("directory");
    let mount = ["-t", "tmpfs", "-o", "size=4k", "tmpfs"];
    if !Command::new("mount").args(mount).arg(&small).status().is_ok_and(|s| s.success()) {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    }
    let (_server, host) = server(Throttle::default());
    let run = ["run", "writes", "--rate", "1000", "--duration", "6s", "--hosts", &host, "--hlog", "small/a.hlog"];
    let output = metronome(&scratch.0, &run);
    assert!(Command::new("umount").arg(&small).status().is_ok_and(|s| s.success()));
    assert_eq!(output.status.code(), Some(3), "{}", text_of(&output));
    assert!(text_of(&output).contains("the interval log is incomplete"), "{}", text_of(&output));
    let Ok(report::ResultFile::Run(result)) = report::ResultFile::read(&scratch.0.join("metronome.json")) else {
        panic!("the result itself is not on the full disk")
    };
    assert!(!result.valid);
    assert_eq!(result.requests.succeeded, 6_000);
}

#[test]
fn a_file_at_its_size_limit_is_an_error_and_does_not_kill_the_run() {
    let (_server, host) = server(Throttle::default());
    let scratch = Scratch::new("limit");
    let limited = "ulimit -f 1; exec timeout 60 \"$@\"";
    let run = ["run", "writes", "--rate", "100", "--duration", "3s", "--hosts", &host, "--hlog", "a.hlog"];
    let output = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(program())
        .args(run)
        .current_dir(&scratch.0)
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{}", text_of(&output));
    for expected in
        ["INVALID", "the interval log is incomplete", "cannot write metronome.json", "300 requests meant to start"]
    {
        assert!(text_of(&output).contains(expected), "{expected}: {}", text_of(&output));
    }
    assert!(!scratch.0.join("metronome.json").exists(), "no partial result");
}

#[test]
fn sustain_finds_the_limit_of_a_server_that_has_one() {
    let (_server, host) = server(Throttle { max_rate: 3_000.0, ..Throttle::default() });
    let scratch = Scratch::new("sustain");
    let search = [
        "sustain",
        "writes",
        "--slo",
        "p90<50ms",
        "--from",
        "500",
        "--step",
        "2s",
        "--warmup",
        "200ms",
        "--precision",
        "0.2",
        "--repeats",
        "1",
        "--max-behind",
        "10s",
        "--hosts",
        &host,
    ];
    let output = metronome(&scratch.0, &search);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let Ok(report::ResultFile::Sustain(result)) = report::ResultFile::read(&scratch.0.join("sustain.json")) else {
        panic!("sustain.json is not a result of sustain")
    };
    let rate = result.sustainable_rate.expect("a rate");
    assert!((1_000.0..3_200.0).contains(&rate), "{rate} of 3,000: {}", text_of(&output));
}

#[test]
fn probe_reports_each_second_as_a_line_of_json() {
    let (_server, host) = server(Throttle::default());
    let scratch = Scratch::new("probe");
    let output = metronome(&scratch.0, &["probe", "--rate", "100", "--duration", "3s", "--hosts", &host]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let seconds: Vec<serde_json::Value> =
        lines.lines().map(|l| serde_json::from_str(l).expect("a line of JSON")).collect();
    let succeeded: u64 = seconds.iter().filter_map(|s| s["succeeded"].as_u64()).sum();
    assert_eq!(succeeded, 300, "{lines}");
    assert!(seconds.len() >= 3 && seconds[0]["response_ms"]["p99"].is_number(), "{lines}");
}

#[test]
fn two_signals_at_once_as_from_timeout_end_a_run_with_its_result() {
    let (_server, host) = server(Throttle { delay: Duration::from_millis(700), ..Throttle::default() });
    let scratch = Scratch::new("twice");
    let mut run = Command::new(program())
        .args(["run", "writes", "--rate", "100", "--duration", "60s", "--hosts", &host, "-o", "result.json"])
        .current_dir(&scratch.0)
        .stderr(Stdio::piped())
        .spawn()
        .expect("metronome");
    let mut lines = BufReader::new(run.stderr.take().expect("piped")).lines();
    while !lines.next().expect("the run goes on").expect("text").contains("1s") {}
    let twice = format!("kill {pid}; sleep 0.1; kill {pid}", pid = run.id());
    assert!(Command::new("sh").args(["-c", &twice]).status().is_ok_and(|s| s.success()), "it had ended");
    let status = run.wait().expect("its end");
    assert!(scratch.0.join("result.json").exists(), "{status}");
}

fn name(names: &mut Option<ChildStdin>, period: &str) {
    names.as_mut().expect("open").write_all(period.as_bytes()).expect("the probe listens");
}

#[test]
fn probe_reports_each_named_period_and_ends_with_its_input() {
    let (_server, host) = server(Throttle::default());
    let probe = ["probe", "pulse", "--rate", "200", "--periods", "--hosts", &host];
    let mut child =
        Command::new(program()).args(probe).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("metronome");
    let mut names = child.stdin.take();
    let mut periods = Vec::new();
    let mut seconds = 0;
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line: serde_json::Value = serde_json::from_str(&line.expect("text")).expect("a line of JSON");
        if line["period"].is_string() {
            periods.push(line);
            continue;
        }
        seconds += 1;
        match seconds {
            1 => name(&mut names, "before\n"),
            3 => name(&mut names, "during\n"),
            5 => names = None,
            _ => {}
        }
    }
    assert!(child.wait().expect("ended").success());
    assert_eq!(periods.iter().map(|p| &p["period"]).collect::<Vec<_>>(), ["before", "during"]);
    for period in periods {
        let requests = period["requests"].as_u64().expect("a number");
        assert!((100..=1_000).contains(&requests) && period["failed"] == 0, "{period}");
        assert!(period["p50_ms"].is_number() && period["max_ms"].is_number(), "{period}");
    }
}
