//! A running null server.

use crate::catalogue::Catalogue;
use crate::pace::{Pace, Pacer};
use crate::peer::Common;
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

/// How a null server is started.
#[derive(Debug, Clone)]
pub struct NullServerConfig {
    /// Port 0 takes any free port.
    pub listen: SocketAddr,
    pub threads: usize,
    /// Binds thread `i` to CPU `pin[i]`.
    pub pin: Vec<usize>,
    pub max_version: Version,
    pub pace: Pace,
}

impl NullServerConfig {
    /// One immediate thread on any free port of the loopback.
    pub fn loopback() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            threads: 1,
            pin: Vec::new(),
            max_version: Version::V5,
            pace: Pace::default(),
        }
    }
}

/// A running server; dropping it closes every connection.
#[derive(Debug)]
pub struct NullServer {
    common: Arc<Common>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl NullServer {
    /// # Errors
    /// When the address is taken or not of this machine.
    pub fn start(config: &NullServerConfig) -> std::io::Result<Self> {
        let listener = TcpListener::bind(config.listen)?;
        listener.set_nonblocking(true)?;
        let common = Arc::new(Common {
            catalogue: Mutex::new(Catalogue::default()),
            address: listener.local_addr()?,
            max_version: config.max_version,
            pacer: Pacer::new(config.pace),
            executed: AtomicU64::new(0),
        });
        let stop = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::new();
        let mut workers = Vec::new();
        for i in 0..config.threads.max(1) {
            let (to_worker, accepted) = channel();
            workers.push(to_worker);
            let worker = Worker {
                common: Arc::clone(&common),
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
        Ok(Self { common, stop, threads })
    }

    pub fn address(&self) -> SocketAddr {
        self.common.address
    }

    /// EXECUTE messages seen so far.
    pub fn executed(&self) -> u64 {
        self.common.executed.load(Ordering::Relaxed)
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so already.
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
