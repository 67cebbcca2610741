//! A merge operator and a compaction filter for RocksDB, as functions for its C interface.
//!
//! Nothing is linked: `io.ringmaster.engine.store.NativeFold` passes their addresses to the library that rocksdbjni brings.

pub mod counter;
pub mod fold;
pub mod operand;
pub mod purge;

use purge::Purger;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// What the Java side sets for one table, in its memory.
#[repr(C)]
pub struct Table {
    /// How many seconds deletions are kept; negative: for ever.
    keep_seconds: AtomicI64,
    /// See `Purger::below_timestamp`.
    below_timestamp: AtomicI64,
    /// See `Purger::swept_before`.
    swept_before: AtomicI64,
}

/// # Safety
/// As RocksDB calls it: that many bytes at that address.
unsafe fn bytes<'a>(data: *const c_char, length: usize) -> &'a [u8] {
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(data.cast(), length) } }
}

/// # Safety
/// As RocksDB calls it: that many addresses and lengths.
unsafe fn list<'a>(data: *const *const c_char, lengths: *const usize, count: c_int) -> Vec<&'a [u8]> {
    (0..usize::try_from(count).unwrap_or(0)).map(|i| unsafe { bytes(*data.add(i), *lengths.add(i)) }).collect()
}

/// What cannot be folded is kept as it is: the reader reconciles it.
fn folded(values: &[&[u8]]) -> Vec<u8> {
    if let [only] = values
        && operand::is_single(only)
    {
        return only.to_vec();
    }
    match fold::fold(values.iter().copied()) {
        Ok(operand) => {
            let mut out = Vec::with_capacity(values.iter().map(|value| value.len()).max().unwrap_or(0) + 64);
            operand::write(&operand, &mut out);
            out
        }
        Err(operand::Malformed) => values.concat(),
    }
}

/// # Safety
/// `success` and `length` must be writable; `ringmaster_fold_free` must free the answer.
unsafe fn answer(result: Vec<u8>, success: *mut c_uchar, length: *mut usize) -> *mut c_char {
    let boxed = result.into_boxed_slice();
    unsafe {
        *success = 1;
        *length = boxed.len();
    }
    Box::into_raw(boxed).cast()
}

/// The whole value of a key.
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
    unsafe { answer(folded(&values), success, length) }
}

/// Some operands as one, while older ones are elsewhere.
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
    unsafe { answer(folded(&list(operands, lengths, count)), success, length) }
}

/// # Safety
/// Only for RocksDB to call, with what one of the two functions above answered.
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
    /// RocksDB copies the filter's answer before it calls again.
    static FILTERED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Answers 1 for a record that is to be removed.
///
/// # Safety
/// Only for RocksDB to call, as its `rocksdb_compactionfilter_create` documents it; `state` is a `Table`.
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
    let table = unsafe { &*state.cast::<Table>() };
    let value = unsafe { bytes(existing, existing_length) };
    let Ok(mut operand) = fold::fold([value]) else { return 0 };
    purger(table).purge(&mut operand);
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

fn purger(table: &Table) -> Purger {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
    let keep = table.keep_seconds.load(Ordering::Relaxed);
    Purger {
        now,
        before: if keep < 0 { -1 } else { now - keep },
        below_timestamp: table.below_timestamp.load(Ordering::Relaxed),
        swept_before: table.swept_before.load(Ordering::Relaxed),
    }
}
