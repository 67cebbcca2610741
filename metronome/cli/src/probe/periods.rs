//! Named periods of a probe, such as before, during and after an operation.

use engine::Stop;
use report::{ErrorCount, Interval, Latencies};
use serde::Serialize;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, channel};

/// One line of output: a period that has ended. A percentile without a request beyond it is left out.
#[derive(Debug, Serialize)]
pub(super) struct Period {
    period: String,
    seconds: f64,
    requests: u64,
    failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    p50_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p99_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p999_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ms: Option<f64>,
    errors: Vec<ErrorCount>,
}

/// Sums the seconds of each period.
#[derive(Debug)]
pub(super) struct Periods {
    names: Receiver<String>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    name: String,
    milliseconds: u64,
    failed: u64,
    response: Latencies,
    errors: Vec<ErrorCount>,
}

impl Periods {
    /// Each line of standard input starts the period of that name; the end of the input ends the probe.
    pub(super) fn from_standard_input(stop: &Stop) -> std::io::Result<Self> {
        let (named, names) = channel();
        let stop = stop.clone();
        std::thread::Builder::new().name("metronome-periods".into()).spawn(move || {
            for name in std::io::stdin().lock().lines().map_while(Result::ok) {
                // A missing receiver means that the probe has ended.
                let _ = named.send(name.trim().to_owned());
            }
            stop.stop();
        })?;
        Ok(Self { names, open: None })
    }

    /// Counts a second, and starts the next period if one was named. Returns the period that ends with this second.
    pub(super) fn take(&mut self, second: &Interval, errors: &[ErrorCount]) -> Option<Period> {
        if let Some(open) = &mut self.open {
            open.add(second, errors);
        }
        let name = self.names.try_recv().ok()?;
        self.open.replace(Open::new(name)).map(Open::into_period)
    }

    /// Returns the last period, which ends with the probe.
    pub(super) fn end(self) -> Option<Period> {
        self.open.map(Open::into_period)
    }
}

impl Open {
    fn new(name: String) -> Self {
        Self { name, milliseconds: 0, failed: 0, response: Latencies::new(), errors: Vec::new() }
    }

    fn add(&mut self, second: &Interval, errors: &[ErrorCount]) {
        self.milliseconds += second.duration_ms;
        self.failed += second.failed;
        self.response.add(&second.response);
        for error in errors {
            match self.errors.iter_mut().find(|e| e.class == error.class && e.code == error.code) {
                Some(known) => known.count += error.count,
                None => self.errors.push(error.clone()),
            }
        }
    }

    fn into_period(self) -> Period {
        Period {
            period: self.name,
            seconds: self.milliseconds as f64 / 1e3,
            requests: self.response.count(),
            failed: self.failed,
            p50_ms: self.response.supported_percentile_ms(50.0),
            p99_ms: self.response.supported_percentile_ms(99.0),
            p999_ms: self.response.supported_percentile_ms(99.9),
            max_ms: self.response.supported_percentile_ms(100.0),
            errors: self.errors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(milliseconds: &[u64], failed: u64) -> Interval {
        let mut response = Latencies::new();
        milliseconds.iter().for_each(|ms| response.record_ns(ms * 1_000_000));
        Interval { duration_ms: 1_000, failed, response, ..Interval::default() }
    }

    #[test]
    fn a_second_belongs_to_the_period_named_before_its_start() {
        let (named, names) = channel();
        let mut periods = Periods { names, open: None };
        assert!(periods.take(&second(&[900], 1), &[]).is_none(), "nothing is named yet");
        for name in ["before", "after"] {
            named.send(name.to_owned()).expect("the other end");
        }
        assert!(periods.take(&second(&[800], 1), &[]).is_none(), "the first period starts with the next second");
        let lost = ErrorCount { class: "connection_lost".into(), code: None, example: "closed".into(), count: 1 };
        let before = periods.take(&second(&[1, 2, 3], 1), std::slice::from_ref(&lost)).expect("the first has ended");
        assert_eq!((before.period.as_str(), before.requests, before.failed), ("before", 3, 1));
        assert_eq!((before.errors, before.seconds), (vec![lost], 1.0));
        assert!((before.max_ms.expect("a slowest") - 3.0).abs() < 0.01);
        assert_eq!(before.p99_ms, None, "no request of three lies beyond");
        assert!(periods.take(&second(&[5], 0), &[]).is_none());
        let after = periods.end().expect("the last");
        assert_eq!((after.period.as_str(), after.requests, after.failed), ("after", 1, 0));
    }
}
