//! Sums the seconds that the load threads hand over, and judges the run.

use crate::acks::Acks;
use crate::config::Config;
use crate::coordination::{Stop, WorkerMessage};
use crate::hiccup::HiccupMonitor;
use crate::outcome::{Failure, Interval, Outcome};
use machine::{CpuTime, cpu_ns, now_ns};
use std::collections::VecDeque;
use std::sync::mpsc::Sender;

const SECOND_NS: u64 = 1_000_000_000;
const MAX_NOTES: usize = 300;

/// Sums what the load threads report.
#[derive(Debug)]
pub(crate) struct Aggregator {
    spares: Vec<Sender<Box<Interval>>>,
    monitors: Vec<HiccupMonitor>,
    /// Seconds that some load thread has not handed over yet.
    open: VecDeque<(u32, Interval)>,
    /// Number of seconds that each load thread has handed over.
    handed_over: Vec<u64>,
    closed: u64,
    total: Interval,
    pub(crate) done: u32,
    started_at_ns: u64,
    timestamp_base_us: i64,
    late_responses: u64,
    warmup_requests: u64,
    prepared_again: u64,
    acks: Vec<Acks>,
    notes: Vec<String>,
    notes_left_out: usize,
    cpu_before_ns: u64,
    cpu_at_start: CpuTime,
    threads: u32,
    statements: usize,
    start_ns: u64,
}

impl Aggregator {
    pub(crate) fn new(
        config: &Config,
        statements: usize,
        spares: Vec<Sender<Box<Interval>>>,
        monitors: Vec<HiccupMonitor>,
    ) -> Self {
        Self {
            spares,
            monitors,
            open: VecDeque::new(),
            handed_over: vec![0; config.threads as usize],
            closed: 0,
            total: Interval::new(statements),
            done: 0,
            started_at_ns: 0,
            timestamp_base_us: 0,
            late_responses: 0,
            warmup_requests: 0,
            prepared_again: 0,
            acks: Vec::new(),
            notes: Vec::new(),
            notes_left_out: 0,
            cpu_before_ns: 0,
            cpu_at_start: CpuTime::now(),
            threads: config.threads,
            statements,
            start_ns: 0,
        }
    }

    /// Notes the start of the schedule, as wall clock and as monotonic clock, in nanoseconds.
    pub(crate) fn starts_at(&mut self, wall_ns: u64, monotonic_ns: u64) {
        self.started_at_ns = wall_ns;
        self.timestamp_base_us = (wall_ns / 1_000).cast_signed();
        self.start_ns = monotonic_ns;
        self.cpu_before_ns = cpu_ns();
        self.cpu_at_start = CpuTime::now();
    }

    pub(crate) fn timestamp_base_us(&self) -> i64 {
        self.timestamp_base_us
    }

    pub(crate) fn note(&mut self, text: String) {
        if self.notes.len() < MAX_NOTES {
            let at_s = if self.start_ns == 0 { 0.0 } else { (now_ns() as f64 - self.start_ns as f64) / 1e9 };
            self.notes.push(format!("{at_s:.1} s: {text}"));
        } else {
            self.notes_left_out += 1;
        }
    }

    pub(crate) fn take(&mut self, message: WorkerMessage, on_interval: &mut impl FnMut(&Interval)) {
        match message {
            WorkerMessage::Interval(worker, mut interval) => {
                self.add(worker as usize, &interval);
                interval.clear();
                // A load thread that has ended no longer needs a spare.
                let _ = self.spares[worker as usize].send(interval);
            }
            WorkerMessage::Done { acks, late_responses, warmup_requests, prepared_again } => {
                self.acks.extend(acks);
                self.late_responses += late_responses;
                self.warmup_requests += warmup_requests;
                self.prepared_again += prepared_again;
                self.done += 1;
            }
            WorkerMessage::Note(text) => self.note(text),
            WorkerMessage::Connected(_) => {}
        }
        let all_done = self.done == self.threads;
        while self.open.front().is_some_and(|(threads, _)| *threads == self.threads || all_done) {
            self.close_front(on_interval);
        }
    }

    fn add(&mut self, worker: usize, interval: &Interval) {
        let at = (self.handed_over[worker] - self.closed) as usize;
        self.handed_over[worker] += 1;
        while self.open.len() <= at {
            self.open.push_back((0, Interval::new(self.statements)));
        }
        let (threads, sum) = &mut self.open[at];
        *threads += 1;
        sum.add(interval);
        sum.start_ns = interval.start_ns;
        sum.end_ns = sum.end_ns.max(interval.end_ns);
    }

    fn close_front(&mut self, on_interval: &mut impl FnMut(&Interval)) {
        let Some((_, mut interval)) = self.open.pop_front() else { return };
        self.closed += 1;
        let whole = interval.end_ns - interval.start_ns >= SECOND_NS;
        for monitor in &self.monitors {
            monitor.take_into(&mut interval.hiccups);
        }
        let cpu = cpu_ns();
        interval.run_started_at_ns = self.started_at_ns;
        interval.cpu_ns = cpu - self.cpu_before_ns;
        self.cpu_before_ns = cpu;
        self.total.add(&interval);
        self.total.outstanding = interval.outstanding;
        self.total.end_ns = self.total.end_ns.max(interval.end_ns);
        // Load threads end shortly after a full second: that rest has no request and gets no line.
        if interval.intended > 0 || interval.statements.iter().any(|s| s.succeeded + s.failed > 0) || whole {
            on_interval(&interval);
        }
    }

    pub(crate) fn outcome(mut self, config: &Config, stop: &Stop) -> Outcome {
        let mut invalid = Vec::new();
        let (behind_ms, limit_ms) = (self.total.behind_ns as f64 / 1e6, config.max_behind.as_secs_f64() * 1e3);
        if behind_ms > limit_ms {
            invalid.push(format!(
                "the generator itself fell {behind_ms:.1} ms behind its schedule (limit {limit_ms:.0} ms): \
                 give it more threads or CPU, or a lower rate"
            ));
        }
        if stop.is_stopped() {
            invalid.push("stopped before the schedule ended".to_owned());
        }
        let unsent = self.total.failures.iter().filter(|f| f.failure == Failure::Unsent);
        let unsent: u64 = unsent.map(|f| f.count).sum();
        if unsent > 0 {
            invalid.push(format!("{unsent} requests were still unsent at the end: their times are lower bounds"));
        }
        if self.notes_left_out > 0 {
            self.notes.push(format!("... and {} more lines", self.notes_left_out));
        }
        if self.prepared_again > 0 {
            let times = self.prepared_again;
            self.notes
                .push(format!("statements were prepared again {times} times, because a server had forgotten them"));
        }
        Outcome {
            intervals: self.closed,
            started_at_ns: self.started_at_ns,
            timestamp_base_us: self.timestamp_base_us,
            elapsed_ns: self.total.end_ns,
            cpu: CpuTime::now() - self.cpu_at_start,
            late_responses: self.late_responses,
            warmup_requests: self.warmup_requests,
            acks: self.acks,
            invalid,
            notes: self.notes,
            peak_rss_bytes: peak_rss_bytes(),
            total: self.total,
        }
    }
}

/// Peak resident memory of this process, from `/proc`; zero where `/proc` is missing.
fn peak_rss_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib: Option<u64> = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse().ok());
    kib.unwrap_or(0) * 1024
}
