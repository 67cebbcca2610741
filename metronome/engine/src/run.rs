//! A run: starts the load threads together and waits for their end.

use crate::aggregator::Aggregator;
use crate::config::Config;
use crate::coordination::{Shared, Stop, WorkerMessage};
use crate::handshake::ConnectionError;
use crate::hiccup::HiccupMonitor;
use crate::outcome::{Interval, Outcome};
use crate::requests::Requests;
use crate::topology::{Topology, TopologyCell};
use crate::worker::Worker;
use machine::{now_ns, wall_ns};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time between the last connection and the first request, so that every load thread sees the start before it comes.
const LEAD_NS: u64 = 20_000_000;
const WATCH_EVERY_NS: u64 = 2_000_000_000;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{0}")]
    Connection(#[from] ConnectionError),
    #[error("cannot start a load thread: {0}")]
    Thread(#[from] std::io::Error),
    #[error("a load thread ended unexpectedly: its results would be missing")]
    ThreadLost,
    #[error("the start time passed {late_s:.1} s ago: choose a later --start-at")]
    StartInThePast { late_s: f64 },
    #[error("stopped before the first request")]
    Stopped,
}

/// Runs the schedule against the hosts of `topology`.
///
/// Calls `watch` every two seconds; it returns the topology if the cluster has changed. Calls `on_interval` for each
/// second of the run, summed over all load threads.
///
/// # Errors
/// When no connection can be made or a statement is refused. A failure after the first request is no error but part of
/// the [`Outcome`].
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
    let (to_run, messages) = channel();
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
    let mut sum = Aggregator::new(&config, requests.statements().len(), spares, monitors);
    let started = start_together(&mut sum, &messages, &config, &shared);
    if let Err(error) = started {
        stop.stop();
        threads.into_iter().for_each(|t| drop(t.join()));
        return Err(error);
    }
    let mut next_watch_ns = now_ns() + WATCH_EVERY_NS;
    while sum.done < config.threads {
        match messages.recv_timeout(Duration::from_millis(100)) {
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

/// Waits until every load thread is connected, then sets the common start.
fn start_together(
    sum: &mut Aggregator,
    messages: &Receiver<WorkerMessage>,
    config: &Config,
    shared: &Shared,
) -> Result<(), RunError> {
    let mut connected = 0;
    while connected < config.threads {
        match messages.recv().map_err(|_| RunError::ThreadLost)? {
            WorkerMessage::Connected(result) => {
                if shared.stop.is_stopped() {
                    return Err(RunError::Stopped);
                }
                result?;
                connected += 1;
            }
            WorkerMessage::Note(text) => sum.note(text),
            WorkerMessage::Interval(..) | WorkerMessage::Done { .. } => {}
        }
    }
    let (mono, wall) = (now_ns(), wall_ns());
    let lead = match config.start_at_ns {
        None => LEAD_NS,
        Some(at) => {
            at.checked_sub(wall).ok_or_else(|| RunError::StartInThePast { late_s: (wall - at) as f64 / 1e9 })?
        }
    };
    sum.starts_at(wall + lead, mono + lead);
    shared.timestamp_base_us.store(sum.timestamp_base_us(), Ordering::Release);
    shared.start_ns.store(mono + lead, Ordering::Release);
    Ok(())
}
