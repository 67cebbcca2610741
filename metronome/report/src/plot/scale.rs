//! Axes.

/// An axis: maps values to 0..1 and places the marks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scale {
    Linear {
        max: f64,
        unit: &'static str,
    },
    /// Logarithmic milliseconds.
    LogMs {
        min: f64,
        max: f64,
    },
    /// Percentiles by the logarithm of the share beyond: 90%, 99%, 99.9% have equal distances.
    Nines {
        most: f64,
    },
}

/// A mark on an axis.
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

impl Scale {
    /// An axis from 0 to slightly above `largest`.
    pub(super) fn linear(largest: f64, unit: &'static str) -> Scale {
        Scale::Linear { max: if largest > 0.0 { largest * 1.02 } else { 1.0 }, unit }
    }

    /// An axis around all values, from a round number below to one above.
    pub(super) fn log_ms(values: impl Iterator<Item = f64>) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        for value in values.filter(|value| *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if high == 0.0 {
            (low, high) = (0.1, 1.0);
        }
        let (min, max) = (round_down(low), round_up(high * 1.05));
        Scale::LogMs { min, max: if max < min * 10.0 { min * 10.0 } else { max } }
    }

    /// An axis wide enough to show each of `count` requests.
    pub(super) fn nines(count: u64) -> Scale {
        Scale::Nines { most: (count.max(10) as f64 * 2.0).log10() }
    }

    pub(super) fn fraction(&self, value: f64) -> f64 {
        match self {
            Scale::Linear { max, .. } => value / max,
            Scale::LogMs { min, max } => (value.max(*min) / min).ln() / (max / min).ln(),
            Scale::Nines { most } => nines(value) / most,
        }
    }

    pub(super) fn ticks(&self) -> Vec<Tick> {
        match self {
            Scale::Linear { max, unit } => {
                let step = step_of(*max);
                let count = (max / step).floor() as u32;
                (0..=count).map(f64::from).map(|n| Tick { at: n * step, label: linear_label(n * step, unit) }).collect()
            }
            Scale::LogMs { min, max } => {
                let decades = (max / min).log10();
                let factors: &[f64] = if decades <= 3.1 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let first = min.log10().floor() as i32;
                (first..=first + decades.ceil() as i32 + 1)
                    .flat_map(|exponent| factors.iter().map(move |factor| factor * 10f64.powi(exponent)))
                    .filter(|at| (min * 0.999..=max * 1.001).contains(at))
                    .map(|at| Tick { at, label: time_label(at) })
                    .collect()
            }
            Scale::Nines { most } => {
                let shown = |(at, _): &&(f64, &str)| nines(*at) <= *most + 1e-6;
                PERCENTS.iter().filter(shown).map(|(at, label)| Tick { at: *at, label: (*label).to_string() }).collect()
            }
        }
    }
}

const PERCENTS: [(f64, &str); 9] = [
    (0.0, "0"),
    (0.5, "50%"),
    (0.9, "90%"),
    (0.99, "99%"),
    (0.999, "99.9%"),
    (0.9999, "99.99%"),
    (0.99999, "99.999%"),
    (0.999_999, "99.9999%"),
    (0.999_999_9, "99.99999%"),
];

/// Number of nines of a quantile: 0.99 has 2.
pub(super) fn nines(quantile: f64) -> f64 {
    -(1.0 - quantile).max(1e-12).log10()
}

/// 0.05 -> `50 µs`, 2 -> `2 ms`, 5000 -> `5 s`.
pub(super) fn time_label(ms: f64) -> String {
    match ms {
        ms if ms < 0.9995 => format!("{} µs", trim(ms * 1e3)),
        ms if ms < 999.5 => format!("{} ms", trim(ms)),
        ms => format!("{} s", trim(ms / 1e3)),
    }
}

fn linear_label(value: f64, unit: &str) -> String {
    let number = match value {
        v if v >= 1e6 => format!("{}M", trim(v / 1e6)),
        v if v >= 1e4 => format!("{}k", trim(v / 1e3)),
        v => trim(v),
    };
    format!("{number}{unit}")
}

/// Formats a number with at most three decimals, without trailing zeros.
fn trim(value: f64) -> String {
    let text = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// Distance of the marks: 1, 2 or 5 times a power of ten, so that an axis has four to nine marks.
fn step_of(max: f64) -> f64 {
    let power = 10f64.powf((max / 5.0).log10().floor());
    *[1.0, 2.0, 5.0].map(|factor| factor * power).iter().find(|step| max / *step <= 8.0).unwrap_or(&(10.0 * power))
}

fn round_down(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().find(|factor| factor * power <= value).unwrap_or(1.0) * power
}

fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn times_are_labelled_in_a_readable_unit() {
        let labelled = [
            (0.05, "50 µs"),
            (0.9999, "1 ms"),
            (1.5, "1.5 ms"),
            (200.0, "200 ms"),
            (1_000.0, "1 s"),
            (60_000.0, "60 s"),
        ];
        for (ms, label) in labelled {
            assert_eq!(time_label(ms), label);
        }
    }

    #[test]
    fn a_narrow_logarithmic_axis_is_marked_between_decades_too() {
        let scale = Scale::log_ms([0.7, 12.0].into_iter());
        assert_eq!(labels(scale), ["500 µs", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms"]);
        let wide = Scale::log_ms([0.02, 9_000.0].into_iter());
        assert_eq!(labels(wide), ["100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
    }

    #[test]
    fn nines_are_equally_far_apart_and_end_where_the_last_request_lies() {
        let scale = Scale::nines(50_000);
        let [ninety, two, three] = [0.9, 0.99, 0.999].map(|quantile| scale.fraction(quantile));
        assert!((two - ninety - (three - two)).abs() < 1e-9);
        assert!((scale.fraction(1.0 - 0.5 / 50_000.0) - 1.0).abs() < 1e-9);
        assert_eq!(labels(scale), ["0", "50%", "90%", "99%", "99.9%", "99.99%", "99.999%"]);
    }

    #[test]
    fn a_linear_axis_starts_at_zero_and_has_round_marks() {
        assert_eq!(labels(Scale::linear(4_000.0, "")), ["0", "1000", "2000", "3000", "4000"]);
        assert_eq!(labels(Scale::linear(60.0, " s")), ["0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "60 s"]);
        assert_eq!(labels(Scale::linear(1_000_000.0, ""))[5], "1M");
        assert!(labels(Scale::linear(0.0, "")).len() > 1);
    }

    #[test]
    fn axes_without_values_still_have_marks() {
        assert!(labels(Scale::log_ms(std::iter::empty())).len() > 1);
        assert!(labels(Scale::nines(0)).len() > 1);
    }
}
