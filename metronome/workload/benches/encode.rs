//! Time to draw and encode the values of one request: `cargo bench -p workload`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use workload::{BUILT_IN, Overrides, Workload};

fn encode(criterion: &mut Criterion) {
    for (name, yaml) in BUILT_IN {
        let workload = Workload::load(yaml, &Overrides::default()).expect("built-in workloads are valid");
        let mut group = criterion.benchmark_group(*name);
        group.throughput(Throughput::Elements(1));
        let mut operation = 0;
        group.bench_function("pick", |bencher| {
            bencher.iter(|| {
                operation += 1;
                black_box(workload.pick(operation))
            });
        });
        let mut out = Vec::with_capacity(16 << 10);
        for statement in workload.statements() {
            let mut row = 0;
            group.bench_function(format!("encode/{}", statement.name), |bencher| {
                bencher.iter(|| {
                    out.clear();
                    row = (row + 1) % statement.row_count();
                    statement.encode(black_box(row), &mut out);
                    black_box(out.len())
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, encode);
criterion_main!(benches);
