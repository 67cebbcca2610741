//! Lines and tables in a terminal, and the page for a browser.

use report::{
    ErrorCount, FORMAT, Interval, Latencies, Objective, Progress, Requests, ResultFile, RunResult, Schedule,
    StatementResult, Style, SustainResult, SustainStep, Verdict, plot_html, print_comparison, print_sustain,
    print_table,
};

/// A minute at 1,000/s with a stall in second 10: service times of 2 ms, and a queue in second 11.
fn stalled_run() -> RunResult {
    let mut run = RunResult {
        format: FORMAT,
        workload: "emp".into(),
        valid: true,
        duration_s: 60.0,
        schedule: Schedule { text: "constant 1000/s".into(), mean_rate: 1_000.0 },
        cpu_user_s: 0.25,
        cpu_system_s: 0.5,
        peak_memory_bytes: 12_345_678,
        behind_ms: 0.0421,
        sent_after_ms: Some(0.0101),
        ..RunResult::default()
    };
    for second in 0..60 {
        let mut interval =
            Interval { start_ms: second * 1_000, duration_ms: 1_000, intended: 1_000, ..Interval::default() };
        if second != 10 {
            for nth in 0..1_000 {
                interval.service.record_ns(2_000_000);
                interval.response.record_ns(2_000_000 + if second == 11 { nth * 1_000_000 } else { 0 });
            }
            interval.succeeded = 1_000;
        }
        run.response.add(&interval.response);
        run.service.add(&interval.service);
        run.intervals.push(interval);
    }
    run.requests = Requests { intended: 60_000, sent: 59_000, succeeded: 58_997, failed: 3 };
    run.errors = vec![
        ErrorCount { class: "overloaded".into(), code: Some(0x1001), example: "queue\nfull".into(), count: 2 },
        ErrorCount { class: "timeout".into(), code: None, example: "no answer within 10 s".into(), count: 1 },
    ];
    run
}

fn printed(print: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    print(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
    text
}

#[test]
fn the_table_shows_response_beside_service_time_and_errors_by_class() {
    let expected = "
emp  constant 1000/s for 60.0 s
60,000 requests meant to start, 59,000 sent, 58,997 ok, 3 failed

times in ms                   requests       p50     p90     p95     p99   p99.9  p99.99     max
all             response        59,000      2.00    2.00    2.00     411     943     996    1001
                service                     2.00    2.00    2.00    2.00    2.00    2.00    2.00

errors                        requests  first message
overloaded (0x1001)                  2  queue full
timeout                              1  no answer within 10 s

generator: 983/s, sent 0.010 ms after the intended start on average, behind by at most
           0.042 ms, longest hiccup not watched, CPU 0.8 s (78,667/CPU-s), 12 MB
";
    assert_eq!(printed(|out| print_table(&stalled_run(), Style::Plain, out)), expected);
}

#[test]
fn an_invalid_run_is_loud_and_says_why() {
    let mut run = stalled_run();
    run.invalidate("behind its schedule by 912 ms");
    run.invalidate("interval log: no space left on device");
    let plain = printed(|out| print_table(&run, Style::Plain, out));
    assert!(plain.contains("INVALID: these numbers do not describe the server"));
    assert!(plain.contains("  ! behind its schedule by 912 ms\n  ! interval log: no space left on device\n"));
    let mut terminal = Vec::new();
    print_table(&run, Style::Terminal, &mut terminal).unwrap();
    assert!(String::from_utf8(terminal).unwrap().contains("\x1b[1;37;41m INVALID"));
}

#[test]
fn statements_get_lines_of_their_own_when_there_are_several() {
    let mut run = stalled_run();
    for name in ["read", "a_statement_with_a_long_name"] {
        let mut statement = StatementResult { name: name.into(), ..StatementResult::default() };
        statement.response.record_ns(1_500_000);
        run.statements.push(statement);
    }
    let text = printed(|out| print_table(&run, Style::Plain, out));
    assert!(text.contains(
        "\nread            response             1         -       -       -       -       -       -    1.50\n"
    ));
    assert!(text.contains("\na_statement_wit response "));
}

#[test]
fn progress_stays_within_100_columns_and_repeats_its_heading() {
    let mut progress = Progress::new(Style::Plain);
    let mut busy = Interval {
        start_ms: 86_398_000,
        duration_ms: 1_000,
        succeeded: 1_234_567,
        failed: 99_999,
        ..Interval::default()
    };
    busy.in_flight = 32_768;
    busy.behind_ms = 12_345.6;
    busy.response.record_ns(98_765_432_100);
    busy.service.record_ns(98_765_432_100);
    let lines: Vec<String> = (0..21).map(|_| progress.line(&busy)).collect();
    assert!(lines[0].contains("p50   p99 p99.9") && lines[20].contains("p50   p99 p99.9"));
    assert!(lines[1..20].iter().all(|line| line.lines().count() == 1));
    for line in lines.iter().flat_map(|line| line.lines()) {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
    let quiet = progress.line(&Interval { duration_ms: 1_000, ..Interval::default() });
    assert_eq!(quiet.matches('-').count(), 7, "no request, no percentile: {quiet}");
    assert!(lines[1].contains('-'), "of one request there is no p99.9: {}", lines[1]);
}

fn sustain() -> SustainResult {
    let step = |rate, verdict| SustainStep { rate, verdict, reason: "p99 2.00 ms".into(), run: stalled_run() };
    SustainResult {
        format: FORMAT,
        slo: "p99<5ms".into(),
        objectives: vec![Objective { percentile: 99.0, limit_ms: 5.0 }],
        sustainable_rate: Some(2_000.0),
        spread: Some((1_900.0, 2_100.0)),
        steps: vec![step(4_000.0, Verdict::Missed), step(1_000.0, Verdict::Kept), step(2_000.0, Verdict::Unknown)],
    }
}

#[test]
fn sustain_lists_rates_in_order_and_the_outcome_with_its_spread() {
    let expected = "
      rate/s            response times
       1,000  kept      p99 2.00 ms
       2,000  unknown   p99 2.00 ms
       4,000  missed    p99 2.00 ms

sustainable under p99<5ms: 2,000/s, 1,900 to 2,100 over the repeats
";
    assert_eq!(printed(|out| print_sustain(&sustain(), Style::Plain, out)), expected);
    let none = SustainResult { sustainable_rate: None, ..sustain() };
    assert!(printed(|out| print_sustain(&none, Style::Plain, out)).contains("no rate tried keeps p99<5ms"));
}

#[test]
fn a_comparison_fits_the_terminal() {
    let comparison = report::compare(&[stalled_run()], &[stalled_run()]);
    let text = printed(|out| print_comparison(&comparison, Style::Plain, out));
    assert!(text.contains("cannot tell"));
}

#[test]
fn the_page_asks_no_network_and_runs_no_script() {
    let results = vec![
        ("run.json".to_string(), ResultFile::Run(Box::new(stalled_run()))),
        ("empty.json".to_string(), ResultFile::Run(Box::default())),
        ("sustain.json".to_string(), ResultFile::Sustain(Box::new(sustain()))),
    ];
    let page = plot_html(&results);
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for forbidden in ["http:", "https:", "<script", "@import", "url(", "src=", "NaN", "inf"] {
        assert!(!without_names.contains(forbidden), "the page contains {forbidden}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    for figure in
        ["Response time by percentile, all runs", "Times of the requests answered", "Response time at each rate tried"]
    {
        assert!(page.contains(figure), "the page lacks: {figure}");
    }
}

#[test]
fn a_second_without_answers_is_a_gap_and_shaded() {
    let page = plot_html(&[("run.json".to_string(), ResultFile::Run(Box::new(stalled_run())))]);
    assert_eq!(page.matches("<title>no answer</title>").count(), 2);
}

#[test]
fn text_from_files_never_becomes_markup() {
    let mut run = stalled_run();
    let evil = "<img src=x onerror=alert(1)>'\"&".to_string();
    run.workload = evil.clone();
    run.hosts = vec![evil.clone()];
    run.errors[0].example = evil.clone();
    run.errors[0].class = evil.clone();
    run.invalidate(evil.clone());
    run.statements = vec![StatementResult { name: evil.clone(), ..StatementResult::default() }; 2];
    let mut sustain = sustain();
    sustain.slo = evil.clone();
    sustain.steps[0].reason = evil.clone();
    let results = vec![(evil.clone(), ResultFile::Run(Box::new(run))), (evil, ResultFile::Sustain(Box::new(sustain)))];
    assert!(!plot_html(&results).contains("<img"));
}

#[test]
fn empty_histograms_print_dashes() {
    let run = RunResult { valid: true, response: Latencies::new(), ..RunResult::default() };
    let text = printed(|out| print_table(&run, Style::Plain, out));
    assert!(!text.contains("NaN") && text.contains("       -"), "{text}");
}
