//! A run from the outside: starts the load threads together, adds up what they hand over each second, judges the run.

use crate::acks::Acks;
use crate::config::Config;
use crate::handshake::Refusal;
use crate::hiccup::HiccupMonitor;
use crate::outcome::{Interval, Outcome};
use crate::requests::Requests;
use crate::topology::{Topology, TopologyCell};
use crate::worker::Worker;
use machine::{CpuTime, cpu_ns, now_ns, wall_ns};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Between the last connection and the first request, so that every load thread sees the start before it comes.
const LEAD_NS: u64 = 20_000_000;
const SECOND_NS: u64 = 1_000_000_000;
const MOST_NOTES: usize = 300;
const WATCH_EVERY_NS: u64 = 2_000_000_000;

/// Ends a run early from another thread or a signal handler; requests in flight are still waited for.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("cannot start a load thread: {0}")]
    Thread(#[from] std::io::Error),
    #[error("a load thread ended unexpectedly: its results would be missing")]
    ThreadLost,
    #[error("the start time has passed by {late_s:.1} s already: choose a later --start-at")]
    StartInThePast { late_s: f64 },
    #[error("stopped before the first request")]
    Stopped,
}

/// What load threads share. Nothing of it is written while requests are sent.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) stop: Stop,
    pub(crate) topology: Arc<TopologyCell>,
    /// Monotonic start of the schedule; zero until it is known.
    pub(crate) start_ns: AtomicU64,
    pub(crate) timestamp_base_us: AtomicI64,
}

/// What a load thread says.
#[derive(Debug)]
pub(crate) enum FromWorker {
    Connected(Result<(), Refusal>),
    Note(String),
    Interval(u32, Box<Interval>),
    Done { acks: Option<Acks>, late_responses: u64, warmup_requests: u64, prepared_again: u64 },
}

/// Runs the schedule against the hosts of `topology`.
///
/// `watch` is asked every two seconds whether the cluster looks different now. `on_interval` gets each second of the
/// run, added up over all load threads.
///
/// # Errors
/// When no connection can be made or a statement is refused. What goes wrong after the first request is not an error
/// but part of the [`Outcome`].
pub fn run<R: Requests>(
    config: Config,
    requests: &Arc<R>,
    topology: &Arc<TopologyCell>,
    stop: &Stop,
    mut watch: impl FnMut(&Topology) -> Option<Topology>,
    mut on_interval: impl FnMut(&Interval),
) -> Result<Outcome, RunError> {
    let config = Arc::new(config);
    let shared = Arc::new(Shared {
        stop: stop.clone(),
        topology: Arc::clone(topology),
        start_ns: AtomicU64::new(0),
        timestamp_base_us: AtomicI64::new(0),
    });
    let (to_run, from_workers) = channel();
    let mut spares = Vec::new();
    let mut threads = Vec::new();
    for id in 0..config.threads {
        let (spare_out, spare_in) = channel();
        spares.push(spare_out);
        let worker =
            Worker::new(id, Arc::clone(&config), Arc::clone(requests), Arc::clone(&shared), to_run.clone(), spare_in)?;
        let thread = std::thread::Builder::new().name(format!("metronome-{id}"));
        threads.push(thread.spawn(move || worker.run())?);
    }
    drop(to_run);
    let monitors: Vec<HiccupMonitor> = (0..config.threads as usize)
        .map(|i| HiccupMonitor::start(config.pin.get(i).copied()))
        .collect::<Result<_, _>>()?;
    let mut sum = Sum::new(&config, requests.statements().len(), spares, monitors);
    let started = sum.wait_for_connections(&from_workers, &config, &shared);
    if let Err(error) = started {
        stop.stop();
        threads.into_iter().for_each(|t| drop(t.join()));
        return Err(error);
    }
    let mut next_watch_ns = now_ns() + WATCH_EVERY_NS;
    while sum.done < config.threads {
        match from_workers.recv_timeout(Duration::from_millis(100)) {
            Ok(message) => sum.take(message, &mut on_interval),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if now_ns() >= next_watch_ns {
            next_watch_ns = now_ns() + WATCH_EVERY_NS;
            if let Some(changed) = watch(&topology.get()) {
                topology.replace(changed);
            }
        }
    }
    let lost = threads.into_iter().filter(|t| t.is_finished()).map(|t| t.join()).any(|joined| joined.is_err());
    if lost || sum.done < config.threads {
        return Err(RunError::ThreadLost);
    }
    Ok(sum.outcome(&config, stop))
}

/// Adds up the load threads.
struct Sum {
    spares: Vec<Sender<Box<Interval>>>,
    monitors: Vec<HiccupMonitor>,
    /// Seconds that not every load thread has handed over yet.
    open: VecDeque<(u32, Interval)>,
    /// Seconds each load thread has handed over.
    handed_over: Vec<u64>,
    closed: u64,
    total: Interval,
    done: u32,
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

impl Sum {
    fn new(
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

    fn wait_for_connections(
        &mut self,
        from_workers: &Receiver<FromWorker>,
        config: &Config,
        shared: &Shared,
    ) -> Result<(), RunError> {
        let mut connected = 0;
        while connected < config.threads {
            match from_workers.recv().map_err(|_| RunError::ThreadLost)? {
                FromWorker::Connected(result) => {
                    if shared.stop.is_stopped() {
                        return Err(RunError::Stopped);
                    }
                    result?;
                    connected += 1;
                }
                FromWorker::Note(text) => self.note(text),
                FromWorker::Interval(..) | FromWorker::Done { .. } => {}
            }
        }
        let (mono, wall) = (now_ns(), wall_ns());
        let lead = match config.start_at_ns {
            None => LEAD_NS,
            Some(at) => {
                at.checked_sub(wall).ok_or_else(|| RunError::StartInThePast { late_s: (wall - at) as f64 / 1e9 })?
            }
        };
        self.started_at_ns = wall + lead;
        self.timestamp_base_us = (self.started_at_ns / 1_000).cast_signed();
        self.start_ns = mono + lead;
        self.cpu_before_ns = cpu_ns();
        self.cpu_at_start = CpuTime::now();
        shared.timestamp_base_us.store(self.timestamp_base_us, Ordering::Release);
        shared.start_ns.store(self.start_ns, Ordering::Release);
        Ok(())
    }

    fn note(&mut self, text: String) {
        if self.notes.len() < MOST_NOTES {
            let at_s = if self.start_ns == 0 { 0.0 } else { (now_ns() as f64 - self.start_ns as f64) / 1e9 };
            self.notes.push(format!("{at_s:.1} s: {text}"));
        } else {
            self.notes_left_out += 1;
        }
    }

    fn take(&mut self, message: FromWorker, on_interval: &mut impl FnMut(&Interval)) {
        match message {
            FromWorker::Interval(worker, mut interval) => {
                self.add(worker as usize, &interval);
                interval.clear();
                // A load thread that has ended needs no spare any more.
                let _ = self.spares[worker as usize].send(interval);
            }
            FromWorker::Done { acks, late_responses, warmup_requests, prepared_again } => {
                self.acks.extend(acks);
                self.late_responses += late_responses;
                self.warmup_requests += warmup_requests;
                self.prepared_again += prepared_again;
                self.done += 1;
            }
            FromWorker::Note(text) => self.note(text),
            FromWorker::Connected(_) => {}
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
        // Load threads end a moment after a full second: the moment without a request is not worth a line.
        if interval.intended > 0 || interval.statements.iter().any(|s| s.succeeded + s.failed > 0) || whole {
            on_interval(&interval);
        }
    }

    fn outcome(mut self, config: &Config, stop: &Stop) -> Outcome {
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
        let unsent = self.total.failures.iter().filter(|f| f.failure == crate::Failure::Unsent);
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

/// Largest memory this process has had, from `/proc`; zero where there is none.
fn peak_rss_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib: Option<u64> = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse().ok());
    kib.unwrap_or(0) * 1024
}
