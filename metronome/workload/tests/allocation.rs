//! The hot path does not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use workload::{BUILT_IN, Overrides, Workload};

struct Counting;

thread_local! {
    /// Allocations of this thread only, because the test harness allocates too.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: passes every call to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn picking_and_encoding_a_request_allocates_nothing() {
    for (name, yaml) in BUILT_IN {
        let workload = Workload::load(yaml, &Overrides::default()).unwrap();
        let mut out = Vec::with_capacity(64 << 10);
        let before = ALLOCATIONS.get();
        for operation in 0..10_000 {
            let (statement, row) = workload.pick(operation);
            out.clear();
            workload.statements()[statement].partition_key(row, &mut out);
            workload.statements()[statement].encode(row, &mut out);
        }
        assert_eq!(ALLOCATIONS.get() - before, 0, "{name}");
    }
}
