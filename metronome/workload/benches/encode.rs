//! Time to draw and encode the values of one request: `cargo bench -p workload`.

use std::hint::black_box;
use std::time::{Duration, Instant};
use workload::{BUILT_IN, Overrides, Workload};

const SAMPLES: u32 = 100;
const SAMPLE: Duration = Duration::from_millis(10);

/// Prints the mean time of a call: the median and the extremes of the samples.
fn measure(name: &str, mut call: impl FnMut()) {
    let mut sample = |calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed()
    };
    let mut calls = 1;
    while sample(calls) < SAMPLE {
        calls *= 2;
    }
    let mut means: Vec<f64> = (0..SAMPLES).map(|_| sample(calls).as_secs_f64() * 1e9 / f64::from(calls)).collect();
    means.sort_by(f64::total_cmp);
    let [least, median, most] = [0, means.len() / 2, means.len() - 1].map(|i| means[i]);
    println!("{name:<40} {median:>10.1} ns ({least:.1} to {most:.1})");
}

fn main() {
    for (name, yaml) in BUILT_IN {
        let workload = Workload::load(yaml, &Overrides::default()).expect("built-in workloads are valid");
        let mut operation = 0;
        measure(&format!("{name}/pick"), || {
            operation += 1;
            black_box(workload.pick(operation));
        });
        let mut out = Vec::with_capacity(16 << 10);
        for statement in workload.statements() {
            let mut row = 0;
            measure(&format!("{name}/encode/{}", statement.name), || {
                out.clear();
                row = (row + 1) % statement.row_count();
                statement.encode(black_box(row), &mut out);
                black_box(out.len());
            });
        }
    }
}
