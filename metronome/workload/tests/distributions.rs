//! Generators and picks follow their distribution. Seeds are fixed, so that the tests always give the same result.

use workload::{Overrides, Workload};

const ROWS: u64 = 100_000;

fn column(cql_type: &str, generate: &str) -> Vec<Vec<u8>> {
    let yaml = format!(
        "name: t\ntables:\n  t:\n    columns:\n      k: bigint\n      \
         v: {{ type: {cql_type}, generate: {generate} }}\n    primary_key: [k]\n    partitions: {ROWS}\nstatements: {{ w: {{ insert: t }} }}"
    );
    let workload = Workload::load(&yaml, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    (0..ROWS).map(|row| workload.expected("t", row).unwrap().pop().unwrap().bytes).collect()
}

fn doubles(generate: &str) -> Vec<f64> {
    column("double", generate).into_iter().map(|bytes| f64::from_be_bytes(bytes.try_into().unwrap())).collect()
}

fn ints(generate: &str) -> Vec<i32> {
    column("int", generate).into_iter().map(|bytes| i32::from_be_bytes(bytes.try_into().unwrap())).collect()
}

fn picks(pick: &str, rows: u64) -> Vec<u64> {
    let yaml = format!(
        "name: t\ntables: {{ t: {{ columns: {{ k: bigint }}, primary_key: [k], partitions: {rows} }} }}\n\
         statements: {{ r: {{ select: t, pick: {pick} }} }}"
    );
    let workload = Workload::load(&yaml, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    (0..ROWS).map(|operation| workload.pick(operation).1).collect()
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().sum::<f64>() / ROWS as f64
}

fn share<T>(values: &[T], wanted: impl Fn(&T) -> bool) -> f64 {
    values.iter().filter(|value| wanted(value)).count() as f64 / values.len() as f64
}

#[test]
fn uniform_numbers_fill_their_range_evenly() {
    let values = ints("{ uniform: { min: -10, max: 9 } }");
    for wanted in -10..10 {
        let share = share(&values, |value| *value == wanted);
        assert!((0.047..0.053).contains(&share), "{wanted} has a share of {share}");
    }
    let values = doubles("{ uniform: { min: 2, max: 4 } }");
    assert!(values.iter().all(|value| (2.0..4.0).contains(value)));
    assert!((mean(values) - 3.0).abs() < 0.01);
}

#[test]
fn gaussian_numbers_have_their_mean_deviation_and_bounds() {
    let values = doubles("{ gaussian: { mean: 20, stddev: 5 } }");
    let average = mean(values.iter().copied());
    let deviation = mean(values.iter().map(|value| (value - average).powi(2))).sqrt();
    assert!((average - 20.0).abs() < 0.05 && (deviation - 5.0).abs() < 0.05, "mean {average}, deviation {deviation}");
    let bounded = ints("{ gaussian: { mean: 0, stddev: 5, min: -3, max: 3 } }");
    assert!(bounded.iter().all(|value| (-3..=3).contains(value)));
}

#[test]
fn zipf_numbers_fall_off_with_their_rank() {
    let values = ints("{ zipf: { min: 5, max: 1004, exponent: 1.0 } }");
    let harmonic: f64 = (1..=1000).map(|rank| 1.0 / f64::from(rank)).sum();
    for rank in [1, 2, 4, 10] {
        let (expected, found) = (1.0 / f64::from(rank) / harmonic, share(&values, |value| *value == 4 + rank));
        assert!((found - expected).abs() < 0.1 * expected, "rank {rank}: {found}, not {expected}");
    }
}

#[test]
fn sequence_numbers_count() {
    assert_eq!(ints("{ sequence: { start: 5, step: -2 } }")[..4], [5, 3, 1, -1]);
    let texts = column("text", "{ sequence: { prefix: user-, digits: 4 } }");
    assert_eq!((&texts[7][..], &texts[12345][..]), (&b"user-0007"[..], &b"user-12345"[..]));
}

#[test]
fn times_advance_by_their_step() {
    let generate = "{ time: { start: 2018-02-13T00:00:00Z, step: 90m } }";
    let ms = |bytes: &[u8]| i64::from_be_bytes(bytes.try_into().unwrap());
    let stamps = column("timestamp", generate);
    assert_eq!((ms(&stamps[0]), ms(&stamps[2])), (1_518_480_000_000, 1_518_480_000_000 + 3 * 3_600_000));
    // Dates are days around 2^31 (native_protocol_v5.spec, section 5.4); 2018-02-13 is day 17,575.
    let dates = column("date", generate);
    assert_eq!(
        (&dates[15][..], &dates[16][..]),
        (&(0x8000_0000u32 + 17_575).to_be_bytes()[..], &(0x8000_0000u32 + 17_576).to_be_bytes()[..])
    );
    assert_eq!(ms(&column("time", generate)[17]), 90 * 60 * 1_000_000_000);
    // The time inside a version 1 UUID, in units of 100 ns since 1582-10-15 (RFC 9562).
    let uuid = &column("timeuuid", generate)[1];
    let high = u64::from_be_bytes(uuid[..8].try_into().unwrap());
    let time = ((high & 0x0FFF) << 48) | ((high >> 16) & 0xFFFF) << 32 | high >> 32;
    assert_eq!((time - 0x01B2_1DD2_1381_4000) / 10_000, 1_518_480_000_000 + 5_400_000);
}

#[test]
fn text_and_bytes_have_the_sizes_asked_for_and_do_not_repeat() {
    let texts = column("text", "{ text: { size: { min: 3, max: 20 }, prefix: 'x-' } }");
    assert!(texts.iter().all(|text| (5..=22).contains(&text.len()) && text.starts_with(b"x-")));
    assert!((share(&texts, |text| text.len() == 5) - 1.0 / 18.0).abs() < 0.005);
    assert!(texts.iter().all(|text| text.iter().all(|byte| (0x20..0x7F).contains(byte))));
    let blobs: std::collections::BTreeSet<_> = column("blob", "{ bytes: { size: 170 } }").into_iter().collect();
    assert!(blobs.len() as u64 == ROWS && blobs.iter().all(|blob| blob.len() == 170));
}

#[test]
fn bytes_leave_a_compressor_nothing() {
    let blobs = column("blob", "{ bytes: { size: 34 } }").concat();
    let mut counts = [0f64; 256];
    blobs.iter().for_each(|byte| counts[usize::from(*byte)] += 1.0);
    let entropy: f64 = counts.iter().map(|count| count / blobs.len() as f64).map(|p| -p * p.log2()).sum();
    assert!(entropy > 7.999, "{entropy} bits in each byte");
}

#[test]
fn one_of_takes_each_value_as_often() {
    let values = column("text", "{ one_of: [open, dispatched, on_trip] }");
    assert!((share(&values, |value| value == b"on_trip") - 1.0 / 3.0).abs() < 0.01);
}

#[test]
fn picks_follow_their_distribution() {
    assert_eq!(picks("sequence", 7).iter().collect::<std::collections::BTreeSet<_>>().len(), 7);
    let uniform = picks("uniform", 1_000);
    assert!((share(&uniform, |row| *row < 100) - 0.1).abs() < 0.005);
    let zipf = picks("{ zipf: { exponent: 1.0 } }", 1_000);
    assert!((share(&zipf, |row| *row == 0) - 0.1336).abs() < 0.005);
    let gaussian = picks("{ gaussian: { mean: 0.5, stddev: 0.1 } }", 1_000);
    assert!((share(&gaussian, |row| (400..600).contains(row)) - 0.683).abs() < 0.01);
    assert!(uniform.iter().chain(&zipf).chain(&gaussian).all(|row| *row < 1_000));
}
