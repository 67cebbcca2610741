//! Prints the spread of the times in interval logs: `cargo run -p report --example spread -- *.hlog`.
//!
//! For each tag of each log: requests, percentiles in milliseconds, and how many requests took 0 to 100 ms, 100 to
//! 200 ms, and so on. Reads any standard log with values in nanoseconds.

use std::collections::BTreeMap;
use std::error::Error;

use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use report::Latencies;

const MS: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<34}{:>9}{:>9}{:>9}{:>9}{:>9}  requests by 100 ms", "", "requests", "p50", "p90", "p99", "max");
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        let mut tags: BTreeMap<String, Latencies> = BTreeMap::new();
        for entry in IntervalLogIterator::new(&bytes) {
            let Ok(LogEntry::Interval(interval)) = entry else { continue };
            let tag = interval.tag().map_or("", |tag| tag.as_str()).to_string();
            tags.entry(tag).or_default().add(&Latencies::from_base64(interval.encoded_histogram())?);
        }
        let name = path.rsplit('/').next().unwrap_or(&path).trim_end_matches(".hlog").to_string();
        for (tag, times) in tags {
            let [p50, p90, p99] = [50.0, 90.0, 99.0].map(|percentile| times.percentile_ms(percentile));
            let mut spread = [0u64; 11];
            for (ns, count) in times.values() {
                spread[(ns / (100 * MS)).min(10) as usize] += count;
            }
            let spread = spread.map(|count| count.to_string()).join(" ");
            let (what, max) = (format!("{name} {tag}"), times.max_ms());
            println!("{what:<34}{:>9}{p50:>9.2}{p90:>9.2}{p99:>9.1}{max:>9.1}  {spread}", times.count());
        }
    }
    Ok(())
}
