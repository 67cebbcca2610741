//! One thread of the server: its connections, and the answers that wait for their time.

use crate::peer::{Common, Paced, Peer};
use machine::{Ready, Wait, now_ns, settle_on};
use std::collections::{HashMap, VecDeque};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

/// How often new connections and the order to stop are looked at.
const CHORES_NS: u64 = 5_000_000;

pub(crate) struct Worker {
    pub(crate) common: Arc<Common>,
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
        let mut later: VecDeque<(u64, usize, Paced)> = VecDeque::new();
        let mut paced = Vec::new();
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
            let stalled_ns = self.common.pacer.stalled_ns(now);
            if stalled_ns > 0 {
                std::thread::sleep(std::time::Duration::from_nanos(stalled_ns));
            }
            let until = later.front().map_or(CHORES_NS, |(due, ..)| due.saturating_sub(now).min(CHORES_NS));
            wait.wait(until, &mut ready);
            let now = now_ns();
            if self.common.pacer.stalled_ns(now) > 0 {
                std::thread::sleep(std::time::Duration::from_nanos(self.common.pacer.stalled_ns(now)));
            }
            for event in ready.drain(..) {
                let Some(peer) = peers.get_mut(&event.id) else { continue };
                if !peer.serve(&self.common, &mut paced) || !peer.flush() {
                    peers.remove(&event.id);
                }
                for answer in paced.drain(..) {
                    last_due_ns = self.common.pacer.due_ns(now, last_due_ns, self.threads);
                    later.push_back((last_due_ns, event.id, answer));
                }
            }
            send_due(&mut later, &mut peers);
        }
        for peer in peers.values() {
            // A peer that has gone already needs no goodbye.
            let _ = peer.socket().shutdown(std::net::Shutdown::Both);
        }
    }
}

fn send_due(later: &mut VecDeque<(u64, usize, Paced)>, peers: &mut HashMap<usize, Peer>) {
    let now = now_ns();
    let mut touched: Vec<usize> = Vec::new();
    while let Some((due, id, answer)) = later.front().copied().filter(|(due, ..)| *due <= now) {
        debug_assert!(due <= now);
        later.pop_front();
        if let Some(peer) = peers.get_mut(&id) {
            peer.answer_paced(answer);
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
