//! What the tests share.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A generator of reproducible numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `limit`, exclusive.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Fails if the task takes longer than the limit. A generous limit separates n log n from n², not fast from slow.
pub fn within<T: Send + 'static>(limit: Duration, task: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(task()));
    receiver.recv_timeout(limit).expect("the task ends within the limit")
}
