//! One thread of the server: its connections and its delayed answers.

use crate::peer::{DelayedAnswer, Peer, Shared};
use machine::{Ready, Wait, now_ns, settle_on};
use std::collections::{HashMap, VecDeque};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

/// Interval of the checks for new connections and the stop flag.
const POLL_NS: u64 = 5_000_000;

pub(crate) struct Worker {
    pub(crate) shared: Arc<Shared>,
    pub(crate) threads: usize,
    pub(crate) cpu: Option<usize>,
    pub(crate) accepted: Receiver<TcpStream>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Worker {
    pub(crate) fn run(self, wait: Wait) {
        settle_on(self.cpu);
        let mut peers: HashMap<usize, Peer> = HashMap::new();
        let mut next_id = 0;
        let mut ready: Vec<Ready> = Vec::new();
        let mut queue: VecDeque<(u64, usize, DelayedAnswer)> = VecDeque::new();
        let mut delayed = Vec::new();
        let mut last_due_ns = 0;
        while !self.stop.load(Ordering::Relaxed) {
            match self.accepted.try_recv() {
                Ok(socket) => {
                    if wait.watch(&socket, next_id).is_ok() {
                        peers.insert(next_id, Peer::new(socket));
                    }
                    next_id += 1;
                    continue;
                }
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {}
            }
            let now = now_ns();
            let stalled_ns = self.shared.throttler.stalled_ns(now);
            if stalled_ns > 0 {
                std::thread::sleep(std::time::Duration::from_nanos(stalled_ns));
            }
            let until = queue.front().map_or(POLL_NS, |(due, ..)| due.saturating_sub(now).min(POLL_NS));
            wait.wait(until, &mut ready);
            let now = now_ns();
            if self.shared.throttler.stalled_ns(now) > 0 {
                std::thread::sleep(std::time::Duration::from_nanos(self.shared.throttler.stalled_ns(now)));
            }
            for event in ready.drain(..) {
                let Some(peer) = peers.get_mut(&event.id) else { continue };
                if !peer.serve(&self.shared, &mut delayed) || !peer.flush() {
                    peers.remove(&event.id);
                }
                for answer in delayed.drain(..) {
                    last_due_ns = self.shared.throttler.due_ns(now, last_due_ns, self.threads);
                    queue.push_back((last_due_ns, event.id, answer));
                }
            }
            send_due(&mut queue, &mut peers);
        }
        for peer in peers.values() {
            // A failure means that the peer has already closed the connection.
            let _ = peer.socket().shutdown(std::net::Shutdown::Both);
        }
    }
}

fn send_due(queue: &mut VecDeque<(u64, usize, DelayedAnswer)>, peers: &mut HashMap<usize, Peer>) {
    let now = now_ns();
    let mut touched: Vec<usize> = Vec::new();
    while let Some((due, id, answer)) = queue.front().copied().filter(|(due, ..)| *due <= now) {
        debug_assert!(due <= now);
        queue.pop_front();
        if let Some(peer) = peers.get_mut(&id) {
            peer.answer_delayed(answer);
            if touched.last() != Some(&id) {
                touched.push(id);
            }
        }
    }
    for id in touched {
        if peers.get_mut(&id).is_some_and(|p| !p.flush()) {
            peers.remove(&id);
        }
    }
}
