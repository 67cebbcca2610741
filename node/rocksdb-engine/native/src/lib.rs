//! A merge operator and a compaction filter, as functions for RocksDB's C interface.
//!
//! The crate does not link RocksDB: `io.ringmaster.engine.store.NativeMerge` passes the functions' addresses to the
//! library of rocksdbjni. RocksDB stores the name `ringmaster.fold.1` in its files, so it must not change.

pub mod counter;
#[cfg(test)]
mod fuzz;
pub mod merge;
pub mod operand;
pub mod purge;
pub mod ranges;
#[cfg(test)]
mod testing;

use purge::Purger;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The purge rules of one column family. `NativePurgeRules` in Java allocates and updates them.
#[repr(C)]
pub struct TableRules {
    /// The number of seconds that deletions are kept; negative for no limit.
    keep_seconds: AtomicI64,
    /// See `Purger::below_timestamp`.
    below_timestamp: AtomicI64,
    /// See `Purger::swept_before`.
    swept_before: AtomicI64,
    /// All data that older deletions shadow are merged with them; in seconds since 1970.
    merged_before: AtomicI64,
    /// See `Purger::keeps_elements`; 0 for no.
    keeps_elements: AtomicI64,
}

/// # Safety
/// `data` must be the address of `length` bytes.
unsafe fn bytes<'a>(data: *const c_char, length: usize) -> &'a [u8] {
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(data.cast(), length) } }
}

/// # Safety
/// `data` and `lengths` must be the addresses of `count` addresses and lengths.
unsafe fn list<'a>(data: *const *const c_char, lengths: *const usize, count: c_int) -> Vec<&'a [u8]> {
    (0..usize::try_from(count).unwrap_or(0)).map(|i| unsafe { bytes(*data.add(i), *lengths.add(i)) }).collect()
}

/// Malformed values are concatenated, because the reader can still merge them.
fn merged(values: &[&[u8]]) -> Vec<u8> {
    if let [only] = values
        && operand::is_single(only)
    {
        return only.to_vec();
    }
    match merge::merge(values.iter().copied()) {
        Ok(operand) => {
            let mut out = Vec::with_capacity(values.iter().map(|value| value.len()).max().unwrap_or(0) + 64);
            operand::write(&operand, &mut out);
            out
        }
        Err(operand::Malformed) => values.concat(),
    }
}

/// # Safety
/// `success` and `length` must be writable; `ringmaster_fold_free` must free the result.
unsafe fn give(result: Vec<u8>, success: *mut c_uchar, length: *mut usize) -> *mut c_char {
    let boxed = result.into_boxed_slice();
    unsafe {
        *success = 1;
        *length = boxed.len();
    }
    Box::into_raw(boxed).cast()
}

/// Merges the whole value of a key.
///
/// # Safety
/// Only for RocksDB to call, as its `rocksdb_mergeoperator_create` documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_full(
    _state: *mut c_void,
    _key: *const c_char,
    _key_length: usize,
    existing: *const c_char,
    existing_length: usize,
    operands: *const *const c_char,
    lengths: *const usize,
    count: c_int,
    success: *mut c_uchar,
    length: *mut usize,
) -> *mut c_char {
    let mut values = unsafe { list(operands, lengths, count) };
    if !existing.is_null() {
        values.insert(0, unsafe { bytes(existing, existing_length) });
    }
    unsafe { give(merged(&values), success, length) }
}

/// Merges some operands of a key, whose older ones are in other files.
///
/// # Safety
/// Only for RocksDB to call, as its `rocksdb_mergeoperator_create` documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_partial(
    _state: *mut c_void,
    _key: *const c_char,
    _key_length: usize,
    operands: *const *const c_char,
    lengths: *const usize,
    count: c_int,
    success: *mut c_uchar,
    length: *mut usize,
) -> *mut c_char {
    unsafe { give(merged(&list(operands, lengths, count)), success, length) }
}

/// # Safety
/// Only for RocksDB to call, with a result of one of the two functions above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_free(_state: *mut c_void, value: *const c_char, length: usize) {
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(value.cast_mut().cast::<u8>(), length)) });
}

/// # Safety
/// Only for RocksDB to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_destroy(_state: *mut c_void) {}

/// # Safety
/// Only for RocksDB to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_name(_state: *mut c_void) -> *const c_char {
    c"ringmaster.fold.1".as_ptr()
}

thread_local! {
    /// Reused for each record, because RocksDB copies the filter's result before the next call.
    static FILTERED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Purges a record. Returns 1 to remove it.
///
/// # Safety
/// Only for RocksDB to call, as its `rocksdb_compactionfilter_create` documents it; `state` is a `TableRules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringmaster_fold_filter(
    state: *mut c_void,
    _level: c_int,
    _key: *const c_char,
    _key_length: usize,
    existing: *const c_char,
    existing_length: usize,
    new_value: *mut *mut c_char,
    new_length: *mut usize,
    is_changed: *mut c_uchar,
) -> c_uchar {
    let rules = unsafe { &*state.cast::<TableRules>() };
    let value = unsafe { bytes(existing, existing_length) };
    let Ok(stored) = merge::merge([value]) else { return 0 };
    let mut operand = merge::without_shadowed(stored);
    purger(rules).purge(&mut operand);
    if operand.is_empty() {
        return 1;
    }
    FILTERED.with_borrow_mut(|out| {
        out.clear();
        operand::write(&operand, out);
        if out.as_slice() != value {
            unsafe {
                *new_value = out.as_mut_ptr().cast();
                *new_length = out.len();
                *is_changed = 1;
            }
        }
    });
    0
}

fn purger(rules: &TableRules) -> Purger {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
    let keep = rules.keep_seconds.load(Ordering::Relaxed);
    let merged_before = rules.merged_before.load(Ordering::Relaxed);
    Purger {
        now,
        before: if keep < 0 { -1 } else { now.min(merged_before) - keep },
        below_timestamp: rules.below_timestamp.load(Ordering::Relaxed),
        swept_before: rules.swept_before.load(Ordering::Relaxed),
        keeps_elements: rules.keeps_elements.load(Ordering::Relaxed) != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(keep_seconds: i64, merged_before: i64) -> i64 {
        let rules = TableRules {
            keep_seconds: keep_seconds.into(),
            below_timestamp: 0.into(),
            swept_before: 0.into(),
            merged_before: merged_before.into(),
            keeps_elements: 0.into(),
        };
        purger(&rules).before
    }

    #[test]
    fn deletions_are_kept_while_the_data_that_they_shadow_may_be_in_another_run() {
        assert_eq!(before(10, 1000), 990);
        assert_eq!(before(10, 0), -10);
        assert_eq!(before(-1, 1000), -1);
        let now = before(0, i64::MAX);
        assert_eq!(before(10, i64::MAX), now - 10);
    }
}
