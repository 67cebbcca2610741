//! Reads that failed are repeated: a read that timed out on a busy cluster says nothing about its row.

use std::time::Duration;

/// Repeats `read` after each of the pauses until it succeeds.
///
/// # Errors
/// The last one, once no pause is left.
pub(super) async fn again<T, E>(pauses: &[Duration], read: impl AsyncFn() -> Result<T, E>) -> Result<T, E> {
    for pause in pauses {
        match read().await {
            // The driver brings tokio's timer.
            Err(_) => tokio::time::sleep(*pause).await,
            found => return found,
        }
    }
    read().await
}

#[cfg(test)]
mod tests {
    use super::again;
    use std::cell::Cell;
    use std::time::Duration;

    const PAUSES: [Duration; 2] = [Duration::ZERO, Duration::ZERO];

    /// The result of a read that fails `failures` times, and the number of attempts.
    fn read(failures: u32) -> (Result<&'static str, u32>, u32) {
        let tried = Cell::new(0);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let found = runtime.block_on(again(&PAUSES, async || {
            tried.set(tried.get() + 1);
            if tried.get() <= failures { Err(tried.get()) } else { Ok("row") }
        }));
        (found, tried.get())
    }

    #[test]
    fn a_read_that_succeeds_is_not_repeated() {
        assert_eq!(read(0), (Ok("row"), 1));
    }

    #[test]
    fn reads_that_time_out_are_repeated_until_one_succeeds() {
        assert_eq!(read(2), (Ok("row"), 3));
    }

    #[test]
    fn the_last_failure_counts_once_no_pause_is_left() {
        assert_eq!(read(3), (Err(3), 3));
    }
}
