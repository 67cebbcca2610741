//! The figures of a report: charts with captions.

use super::chart::{Chart, Ink, Line, Marker, ink};
use super::scale::{Scale, nines};
use crate::latencies::Latencies;
use crate::result::{Interval, RunResult, SustainResult, Verdict};
use crate::text::percentile_name;

/// A chart and its caption.
pub(super) struct Figure {
    pub chart: Chart,
    pub caption: String,
}

/// A curve: name, style, times.
type Curve<'a> = (String, Ink, &'a Latencies);

/// Styles for two lines that often coincide: the fine line stays visible on the broad one.
const BROAD: Ink = Ink { colour: "#9CCBEB", dash: "", width: 4.0 };
const FINE: Ink = Ink { colour: "#000000", dash: "", width: 1.2 };

/// Response time against service time of one run, with the pauses of the measuring machine.
pub(super) fn response_against_service(run: &RunResult) -> Figure {
    let mut curves =
        vec![("service time".to_string(), BROAD, &run.service), ("response time".to_string(), ink(0), &run.response)];
    if let Some(hiccups) = &run.hiccups {
        let thin = Ink { width: 1.4, ..ink(2) };
        curves.push(("hiccups".to_string(), thin, hiccups));
    }
    let caption = "Time by percentile. Response time starts at the intended start of a request, service time at its \
                   send; the gap between the two curves is waiting. Hiccups are pauses of the measuring machine.";
    Figure { chart: percentiles("response against service time by percentile", &curves), caption: caption.to_string() }
}

/// Response or service time of several runs.
pub(super) fn overlay(kind: &str, runs: &[(&str, &RunResult)], pick: fn(&RunResult) -> &Latencies) -> Figure {
    let curves: Vec<Curve> =
        runs.iter().enumerate().map(|(at, (name, run))| (name.to_string(), ink(at), pick(run))).collect();
    let caption = format!("{kind} time by percentile, all runs.");
    Figure { chart: percentiles(&format!("{kind} time of all runs by percentile"), &curves), caption }
}

/// The response-time curve at each rate that `sustain` tried.
pub(super) fn curves_by_rate(sustain: &SustainResult) -> Figure {
    let mut steps: Vec<_> = sustain.steps.iter().collect();
    steps.sort_by(|left, right| right.rate.total_cmp(&left.rate));
    steps.dedup_by(|later, earlier| later.rate == earlier.rate);
    let name = |rate: f64| format!("{}/s", crate::text::count(rate.round() as u64));
    let curves: Vec<Curve> =
        steps.iter().enumerate().map(|(at, step)| (name(step.rate), ink(at), &step.run.response)).collect();
    let mut chart = percentiles("response time by percentile at each rate", &curves);
    chart.limits = limits(sustain);
    Figure { chart, caption: "Response time by percentile at each rate tried; the first run of each rate.".to_string() }
}

fn limits(sustain: &SustainResult) -> Vec<(f64, String)> {
    let name = |percentile: f64, limit_ms: f64| format!("{} < {limit_ms} ms", percentile_name(percentile));
    sustain.objectives.iter().map(|o| (o.limit_ms, name(o.percentile, o.limit_ms))).collect()
}

fn percentiles(label: &str, curves: &[Curve]) -> Chart {
    let most = curves.iter().map(|(_, _, latencies)| latencies.count()).max().unwrap_or(0);
    let lowest = |latencies: &Latencies| latencies.percentile_ms(1.0);
    let y = Scale::log_ms(curves.iter().flat_map(|(_, _, latencies)| [lowest(latencies), latencies.max_ms()]));
    let mut chart = Chart::new(label, (Scale::nines(most), "percentile"), (y, "time"));
    chart.lines = curves.iter().map(|(name, ink, latencies)| Line::new(name, *ink, steps(latencies))).collect();
    chart
}

/// The steps of a distribution: each value spans from the quantile of the previous value to its own.
fn steps(latencies: &Latencies) -> Vec<Option<(f64, f64)>> {
    let total = latencies.count() as f64;
    let (mut seen, mut points) = (0, Vec::new());
    for (value, count) in latencies.values() {
        let from = seen as f64 / total;
        seen += count;
        // The curve ends half a request before the quantile 1.
        let to = (seen as f64).min(total - 0.5) / total;
        points.push(Some((from, value as f64 / 1e6)));
        points.push(Some((to, value as f64 / 1e6)));
    }
    debug_assert!(points.iter().flatten().all(|(quantile, _)| nines(*quantile).is_finite()));
    points
}

/// Times during one run.
pub(super) fn over_time(run: &RunResult) -> Figure {
    let shown = |interval: &Interval| {
        let (response, service) = (interval.response.histogram(), interval.service.histogram());
        let ns =
            [service.max(), response.max(), response.value_at_percentile(99.0), response.value_at_percentile(50.0)];
        (!response.is_empty()).then(|| ns.map(|ns| ns as f64 / 1e6))
    };
    let rows: Vec<(f64, Option<[f64; 4]>)> =
        run.intervals.iter().map(|interval| (middle_s(interval), shown(interval))).collect();
    let y = Scale::log_ms(rows.iter().filter_map(|(_, shown)| *shown).flatten());
    let mut chart = Chart::new("times over the run", (time_axis(run), "time since the start"), (y, "time"));
    let looks = [("service max", BROAD), ("response max", FINE), ("response p99", ink(2)), ("response p50", ink(3))];
    for (at, (name, ink)) in looks.into_iter().enumerate() {
        let points = rows.iter().map(|(second, shown)| shown.map(|shown| (*second, shown[at])));
        chart.lines.push(Line::new(name, ink, points));
    }
    chart.bands = silent(run);
    let caption = "Times of the requests answered in each interval. Shaded: no answer arrived.";
    Figure { chart, caption: caption.to_string() }
}

/// Intended, answered and failed requests during one run.
pub(super) fn throughput_over_time(run: &RunResult) -> Figure {
    let per_s = |interval: &Interval, n: u64| n as f64 * 1e3 / interval.duration_ms.max(1) as f64;
    let most = |interval: &Interval| per_s(interval, interval.intended.max(interval.succeeded + interval.failed));
    let y = Scale::linear(run.intervals.iter().map(most).fold(0.0, f64::max), "");
    let mut chart = Chart::new("requests over the run", (time_axis(run), "time since the start"), (y, "requests/s"));
    let line = |name: &str, ink: Ink, of: fn(&Interval) -> u64| {
        let point = |interval: &Interval| Some((middle_s(interval), per_s(interval, of(interval))));
        Line::new(name, ink, run.intervals.iter().map(point))
    };
    chart.lines = vec![
        line("answered", BROAD, |interval| interval.succeeded),
        line("meant to start", FINE, |interval| interval.intended),
    ];
    if run.requests.failed > 0 {
        chart.lines.push(line("failed", ink(2), |interval| interval.failed));
    }
    chart.height = 220.0;
    chart.bands = silent(run);
    Figure { chart, caption: "Requests meant to start, answered and failed in each interval.".to_string() }
}

fn middle_s(interval: &Interval) -> f64 {
    (interval.start_ms as f64 + interval.duration_ms as f64 / 2.0) / 1e3
}

fn time_axis(run: &RunResult) -> Scale {
    let end = |interval: &Interval| (interval.start_ms + interval.duration_ms) as f64 / 1e3;
    Scale::linear(run.intervals.last().map_or(1.0, end), " s")
}

fn silent(run: &RunResult) -> Vec<(f64, f64, String)> {
    let without_answers = run.intervals.iter().filter(|interval| interval.succeeded + interval.failed == 0);
    let seconds = |ms: u64| ms as f64 / 1e3;
    without_answers
        .map(|interval| {
            (seconds(interval.start_ms), seconds(interval.start_ms + interval.duration_ms), "no answer".to_string())
        })
        .collect()
}

/// The response time at each rate tried, for each percentile of the service level.
pub(super) fn throughput_against_latency(sustain: &SustainResult) -> Figure {
    let mut steps: Vec<_> = sustain.steps.iter().collect();
    steps.sort_by(|left, right| left.rate.total_cmp(&right.rate));
    let fastest = steps.iter().map(|step| step.rate).fold(0.0, f64::max);
    let at = |percentile: f64| move |run: &RunResult| run.response.percentile_ms(percentile);
    let shown: Vec<f64> = std::iter::once(50.0).chain(sustain.objectives.iter().map(|o| o.percentile)).collect();
    let values = steps.iter().flat_map(|step| shown.iter().map(move |percentile| at(*percentile)(&step.run)));
    let y = Scale::log_ms(values.chain(sustain.objectives.iter().map(|o| o.limit_ms)));
    let x = (Scale::linear(fastest, ""), "requests per second");
    let mut chart = Chart::new("response time against rate", x, (y, "response time"));
    for (number, percentile) in shown.iter().enumerate() {
        let points = steps.iter().map(|step| Some((step.rate, at(*percentile)(&step.run))));
        let mut line = Line::new(percentile_name(*percentile), ink(number), points);
        line.markers = steps
            .iter()
            .map(|step| match step.verdict {
                Verdict::Kept => Marker::Filled,
                Verdict::Missed => Marker::Hollow,
                Verdict::Unknown => Marker::Cross,
            })
            .collect();
        chart.lines.push(line);
    }
    chart.limits = limits(sustain);
    chart.bands = sustain.spread.iter().map(|(low, high)| (*low, *high, "spread of the repeats".to_string())).collect();
    let found = match sustain.sustainable_rate {
        Some(rate) => format!(
            "Sustainable: {} requests per second (shaded: spread of the repeats).",
            crate::text::count(rate as u64)
        ),
        None => "No rate tried keeps the service level.".to_string(),
    };
    let caption = format!(
        "Response time at each rate tried. Filled: kept {}; hollow: missed; cross: unknown. {found}",
        sustain.slo
    );
    Figure { chart, caption }
}
