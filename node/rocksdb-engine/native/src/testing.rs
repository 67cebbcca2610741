//! What the tests share.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
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

/// The system's allocator, which notes the largest request of each thread.
struct Noting;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // fails while a thread ends
        let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Noting = Noting;

/// The result of a task, and the size of its largest allocation in bytes.
pub fn largest_allocation<T>(task: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.set(0);
    let result = task();
    (result, LARGEST.get())
}
