//! The block bootstrap.

use crate::latencies::Latencies;
use crate::result::{Interval, RunResult};

/// With at least this many runs on each side, whole runs are drawn.
pub(super) const MIN_RUNS: usize = 3;
const REPLICATES: usize = 1_000;
/// Maximum number of stretches of a run. Longer runs are merged into stretches of several seconds, which costs no
/// precision.
const MAX_STRETCHES: usize = 240;

/// Times of several runs, stretch by stretch, as counts of distinct values.
pub(super) struct Sample {
    /// Values in nanoseconds, ascending.
    values: Vec<u64>,
    runs: Vec<Run>,
    intervals: usize,
}

struct Run {
    stretches: Vec<Vec<(u32, u64)>>,
    block: usize,
}

impl Sample {
    pub(super) fn of(runs: &[RunResult], pick: fn(&Interval) -> &Latencies) -> Self {
        let merged: Vec<Vec<Latencies>> = runs.iter().map(|run| stretches(&run.intervals, pick)).collect();
        let counted: Vec<Vec<Vec<(u64, u64)>>> =
            merged.iter().map(|run| run.iter().map(Latencies::values).collect()).collect();
        let mut values: Vec<u64> = counted.iter().flatten().flatten().map(|(value, _)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let index = |value| values.binary_search(&value).expect("collected above") as u32;
        let sparse = |stretch: &Vec<(u64, u64)>| stretch.iter().map(|(value, count)| (index(*value), *count)).collect();
        let runs_of = merged
            .iter()
            .zip(&counted)
            .map(|(run, counted)| Run { stretches: counted.iter().map(sparse).collect(), block: block_length(run) })
            .collect();
        let intervals = runs.iter().map(|run| run.intervals.len()).sum();
        Self { values, runs: runs_of, intervals }
    }

    pub(super) fn intervals(&self) -> usize {
        self.intervals
    }

    pub(super) fn count(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Number of independent units: whole runs, or blocks of seconds.
    pub(super) fn blocks(&self) -> usize {
        match self.runs.len() >= MIN_RUNS {
            true => self.runs.len(),
            false => self.runs.iter().map(|run| run.stretches.len() / run.block).sum(),
        }
    }

    pub(super) fn percentile_ms(&self, percentile: f64) -> f64 {
        self.quantiles(&self.counts(), &[percentile])[0] / 1e6
    }

    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        self.runs.iter().flat_map(|run| &run.stretches).for_each(|stretch| add(&mut counts, stretch, 1));
        counts
    }

    fn quantiles(&self, counts: &[u64], percentiles: &[f64]) -> Vec<f64> {
        let total: u64 = counts.iter().sum();
        let mut wanted = percentiles.iter().map(|p| ((p / 100.0 * total as f64).ceil() as u64).clamp(1, total.max(1)));
        let mut found = Vec::with_capacity(percentiles.len());
        let (mut next, mut seen) = (wanted.next(), 0);
        for (value, count) in self.values.iter().zip(counts) {
            seen += count;
            while next.is_some_and(|rank| seen >= rank) {
                found.push(*value as f64);
                next = wanted.next();
            }
        }
        found.resize(percentiles.len(), f64::NAN);
        found
    }

    /// Draws as many stretches as the sample has, in blocks that wrap around the end of a run.
    fn resample(&self, random: &mut Random) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        for at in 0..self.runs.len() {
            let run =
                if self.runs.len() >= MIN_RUNS { &self.runs[random.below(self.runs.len())] } else { &self.runs[at] };
            let size = run.stretches.len();
            let mut times_drawn = vec![0u64; size];
            let mut left = size;
            while left > 0 {
                let (start, length) = (random.below(size), run.block.min(left));
                (start..start + length).for_each(|stretch| times_drawn[stretch % size] += 1);
                left -= length;
            }
            for (stretch, times) in run.stretches.iter().zip(times_drawn).filter(|(_, times)| *times > 0) {
                add(&mut counts, stretch, times);
            }
        }
        counts
    }
}

fn add(counts: &mut [u64], stretch: &[(u32, u64)], times: u64) {
    stretch.iter().for_each(|(index, count)| counts[*index as usize] += count * times);
}

fn stretches(intervals: &[Interval], pick: fn(&Interval) -> &Latencies) -> Vec<Latencies> {
    let each = intervals.len().div_ceil(MAX_STRETCHES).max(1);
    let merge = |several: &[Interval]| {
        let mut sum = Latencies::new();
        several.iter().for_each(|interval| sum.add(pick(interval)));
        sum
    };
    intervals.chunks(each).map(merge).collect()
}

/// Computes the block length: four times the lag at which the autocorrelation of the stretches ends, and at least the
/// square root of their number. In a short run that lag is hard to see, and blocks that are too short make the
/// intervals too narrow.
fn block_length(run: &[Latencies]) -> usize {
    let least = (run.len() as f64).sqrt().ceil() as usize;
    let series = |percentile: f64| {
        let logs = run.iter().map(|stretch| (stretch.percentile_ms(percentile) + 1e-6).ln()).collect::<Vec<_>>();
        4 * correlation_lag(&logs)
    };
    series(50.0).max(series(99.0)).clamp(least, (run.len() / 3).max(least)).max(1)
}

/// The last lag before the autocorrelation falls within the range of chance.
fn correlation_lag(series: &[f64]) -> usize {
    let size = series.len() as f64;
    let mean = series.iter().sum::<f64>() / size;
    let product = |lag: usize| series.iter().zip(&series[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let variance = product(0);
    (0..series.len()).skip(1).find(|lag| product(*lag) <= 2.0 / size.sqrt() * variance).unwrap_or(1) - 1
}

/// Logarithms of a ratio over all resamples, ascending.
pub(super) struct LogRatios(Vec<f64>);

impl LogRatios {
    /// The 95% interval of the ratio, widened by the ratio of Student's t to the normal distribution, because few
    /// blocks underestimate their variance.
    pub(super) fn interval(&self, log_ratio: f64, blocks: usize) -> (f64, f64) {
        let freedom = (blocks.max(2) - 1) as f64;
        let t = 1.96 + 2.37 / freedom + 2.82 / freedom.powi(2) + 2.56 / freedom.powi(3);
        let widen = t / 1.96 * ((freedom + 1.0) / freedom).sqrt();
        let at = |share: f64| self.0[(share * (self.0.len() - 1) as f64).round() as usize];
        let edge = |share: f64| (log_ratio + widen * (at(share) - log_ratio)).exp();
        (edge(0.025), edge(0.975))
    }
}

/// Computes for each percentile the logarithm of after divided by before, over all resamples. The seed is fixed, so
/// that the same files give the same result.
pub(super) fn log_ratios(before: &Sample, after: &Sample, percentiles: &[f64]) -> Vec<LogRatios> {
    let mut random = Random(0x5EED);
    let mut ratios = vec![Vec::with_capacity(REPLICATES); percentiles.len()];
    for _ in 0..REPLICATES {
        let left = before.quantiles(&before.resample(&mut random), percentiles);
        let right = after.quantiles(&after.resample(&mut random), percentiles);
        for (all, (left, right)) in ratios.iter_mut().zip(left.iter().zip(right)) {
            all.push((right / left).ln());
        }
    }
    ratios.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
    ratios.into_iter().map(LogRatios).collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(x ^ (x >> 31)) * n as u128) >> 64) as usize
    }
}
