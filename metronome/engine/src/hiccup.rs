//! Pauses of the machine, by the method of jHiccup: a thread that sleeps a millisecond and wakes late has seen a pause
//! that may have hit every other thread of that CPU too.

use machine::{now_ns, settle_on};
use report::Latencies;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const SLEEP: Duration = Duration::from_millis(1);

/// A running monitor; dropping it stops its thread.
#[derive(Debug)]
pub(crate) struct HiccupMonitor {
    oversleep: Arc<Mutex<Latencies>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl HiccupMonitor {
    /// Watches the given CPU; without one, the CPU that the thread happens to run on.
    pub(crate) fn start(cpu: Option<usize>) -> std::io::Result<Self> {
        let oversleep = Arc::new(Mutex::new(Latencies::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (records, stopped) = (Arc::clone(&oversleep), Arc::clone(&stop));
        let thread = std::thread::Builder::new().name("metronome-hiccup".into()).spawn(move || {
            settle_on(cpu);
            let expected_ns = SLEEP.as_nanos() as u64;
            while !stopped.load(Ordering::Relaxed) {
                let before = now_ns();
                std::thread::sleep(SLEEP);
                let over = (now_ns() - before).saturating_sub(expected_ns);
                records.lock().unwrap_or_else(PoisonError::into_inner).record_ns(over);
            }
        })?;
        Ok(Self { oversleep, stop, thread: Some(thread) })
    }

    /// Adds the pauses since the last call to `sum`.
    pub(crate) fn take_into(&self, sum: &mut Latencies) {
        let mut oversleep = self.oversleep.lock().unwrap_or_else(PoisonError::into_inner);
        sum.add(&oversleep);
        oversleep.clear();
    }
}

impl Drop for HiccupMonitor {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread returns nothing and cannot fail while it only sleeps.
            let _ = thread.join();
        }
    }
}
