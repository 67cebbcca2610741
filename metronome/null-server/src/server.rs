//! A running null server.

use crate::catalogue::Catalogue;
use crate::peer::Shared;
use crate::throttle::{Throttle, Throttler};
use crate::worker::Worker;
use cql::Version;
use machine::Wait;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Configuration of a null server.
#[derive(Debug, Clone)]
pub struct NullServerConfig {
    /// Address to listen on; port 0 takes any free port.
    pub listen: SocketAddr,
    pub threads: usize,
    /// Binds thread `i` to CPU `pin[i]`.
    pub pin: Vec<usize>,
    pub max_version: Version,
    pub throttle: Throttle,
    /// The error with which it turns every request away, such as overloaded by a server that is about to stop.
    pub turns_away: Option<cql::ErrorCode>,
}

impl NullServerConfig {
    /// One thread without throttle, on any free port of the loopback.
    pub fn loopback() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            threads: 1,
            pin: Vec::new(),
            max_version: Version::V5,
            throttle: Throttle::default(),
            turns_away: None,
        }
    }
}

/// A running server; dropping it closes every connection.
#[derive(Debug)]
pub struct NullServer {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl NullServer {
    /// # Errors
    /// When the address is in use or does not belong to this machine.
    pub fn start(config: &NullServerConfig) -> std::io::Result<Self> {
        let listener = TcpListener::bind(config.listen)?;
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            catalogue: Mutex::new(Catalogue::default()),
            address: listener.local_addr()?,
            max_version: config.max_version,
            throttler: Throttler::new(config.throttle),
            turns_away: config.turns_away,
            executed: AtomicU64::new(0),
        });
        let stop = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::new();
        let mut workers = Vec::new();
        for i in 0..config.threads.max(1) {
            let (to_worker, accepted) = channel();
            workers.push(to_worker);
            let worker = Worker {
                shared: Arc::clone(&shared),
                threads: config.threads.max(1),
                cpu: config.pin.get(i).copied(),
                accepted,
                stop: Arc::clone(&stop),
            };
            let wait = Wait::new()?;
            threads.push(std::thread::Builder::new().name(format!("null-{i}")).spawn(move || worker.run(wait))?);
        }
        let stopped = Arc::clone(&stop);
        let accept = std::thread::Builder::new().name("null-accept".into());
        threads.push(accept.spawn(move || accept_all(&listener, &workers, &stopped))?);
        Ok(Self { shared, stop, threads })
    }

    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// Number of EXECUTE messages so far.
    pub fn executed(&self) -> u64 {
        self.shared.executed.load(Ordering::Relaxed)
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A thread that panicked has already printed its message.
            let _ = thread.join();
        }
    }
}

fn accept_all(listener: &TcpListener, workers: &[Sender<std::net::TcpStream>], stop: &AtomicBool) {
    let mut next = 0;
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((socket, _)) => {
                let ready = socket.set_nonblocking(true).and_then(|()| socket.set_nodelay(true));
                if ready.is_ok() && workers[next % workers.len()].send(socket).is_err() {
                    return;
                }
                next += 1;
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}
