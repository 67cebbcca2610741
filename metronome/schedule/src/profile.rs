//! The offered rate over time, piecewise linear, and its inverse: the time at which `n` requests have become due.

const NANOS: f64 = 1e9;

/// A rate that changes linearly from `from` to `to` requests per second within `seconds`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    pub from: f64,
    pub to: f64,
    pub seconds: f64,
}

impl Piece {
    fn requests(&self) -> f64 {
        if self.from == 0.0 && self.to == 0.0 { 0.0 } else { (self.from + self.to) / 2.0 * self.seconds }
    }

    /// Seconds into the piece at which `n` requests have become due, and the rate at that moment.
    #[inline]
    fn seconds_at(&self, n: f64) -> (f64, f64) {
        if self.from == self.to {
            return (n / self.from, self.from);
        }
        let slope = if self.seconds.is_finite() { (self.to - self.from) / self.seconds } else { 0.0 };
        // The stable root of from*t + slope/2*t^2 = n, without cancellation for small or negative slopes.
        let rate = (self.from * self.from + 2.0 * slope * n).max(0.0).sqrt();
        (2.0 * n / (self.from + rate), rate)
    }
}

#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ProfileError {
    #[error("a rate must be a finite number of at least 0 requests/s, not {0}")]
    Rate(f64),
    #[error("a duration must be above 0 s, not {0} s")]
    Duration(f64),
    #[error("the schedule offers no requests: give a rate above 0")]
    Empty,
}

/// Offered rate over time. Only the last piece may be endless.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pieces: Vec<Piece>,
}

impl Profile {
    /// A profile of consecutive pieces.
    ///
    /// # Errors
    /// When a rate is negative or not finite, a duration is not positive, or no request becomes due.
    pub fn new(pieces: Vec<Piece>) -> Result<Self, ProfileError> {
        for (i, piece) in pieces.iter().enumerate() {
            for rate in [piece.from, piece.to] {
                if !rate.is_finite() || rate < 0.0 {
                    return Err(ProfileError::Rate(rate));
                }
            }
            let endless_in_the_middle = piece.seconds.is_infinite() && i + 1 < pieces.len();
            if piece.seconds.is_nan() || piece.seconds <= 0.0 || endless_in_the_middle {
                return Err(ProfileError::Duration(piece.seconds));
            }
        }
        if pieces.iter().map(Piece::requests).sum::<f64>() <= 0.0 {
            return Err(ProfileError::Empty);
        }
        Ok(Self { pieces })
    }

    /// One rate for `seconds`, which may be infinite.
    ///
    /// # Errors
    /// As [`Profile::new`].
    pub fn constant(rate: f64, seconds: f64) -> Result<Self, ProfileError> {
        Self::new(vec![Piece { from: rate, to: rate, seconds }])
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn duration_ns(&self) -> Option<u64> {
        let seconds: f64 = self.pieces.iter().map(|p| p.seconds).sum();
        seconds.is_finite().then_some((seconds * NANOS) as u64)
    }

    pub(crate) fn requests(&self) -> Option<u64> {
        let n: f64 = self.pieces.iter().map(Piece::requests).sum();
        n.is_finite().then_some((n - 1e-6).ceil() as u64)
    }

    pub(crate) fn peak_rate(&self) -> f64 {
        self.pieces.iter().flat_map(|p| [p.from, p.to]).fold(0.0, f64::max)
    }
}

/// Inverts a profile while walking it forward, so that each inversion costs a few operations for any number of pieces.
#[derive(Debug, Clone)]
pub(crate) struct Inverse {
    pieces: Vec<Piece>,
    at: usize,
    requests_before: f64,
    seconds_before: f64,
    /// Requests per second at the last start.
    rate: f64,
}

impl Inverse {
    pub(crate) fn new(profile: &Profile) -> Self {
        Self { pieces: profile.pieces.clone(), at: 0, requests_before: 0.0, seconds_before: 0.0, rate: 0.0 }
    }

    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    /// The time in nanoseconds at which `n` requests have become due; `None` after the end. `n` must not decrease.
    #[inline]
    pub(crate) fn start_ns(&mut self, n: f64) -> Option<u64> {
        while let Some(piece) = self.pieces.get(self.at) {
            let within = n - self.requests_before;
            // The tolerance keeps a request that is due exactly at a boundary from moving by rounding.
            if within < piece.requests() - 1e-6 {
                let at_start = within <= 0.0 && piece.from == 0.0;
                let (seconds, rate) = if at_start { (0.0, 0.0) } else { piece.seconds_at(within) };
                self.rate = rate;
                return Some(((self.seconds_before + seconds) * NANOS) as u64);
            }
            self.requests_before += piece.requests();
            self.seconds_before += piece.seconds;
            self.at += 1;
        }
        None
    }
}
