//! Results as one HTML page without script or network, with inline SVG that is readable in black and white.

mod chart;
mod figures;
mod scale;

use chart::escape;
use figures::Figure;

use crate::latencies::Latencies;
use crate::result::{ResultFile, RunResult, SustainResult};
use crate::text::{count, ms, percentile_name, sent_after};

const CSS: &str = include_str!("page.css");
const PERCENTILES: [f64; 6] = [50.0, 90.0, 99.0, 99.9, 99.99, 100.0];

/// Renders one page for all results, each with its name.
pub fn plot_html(results: &[(String, ResultFile)]) -> String {
    let mut page = Page { html: String::new(), figures: 0 };
    let runs: Vec<(&str, &RunResult)> = results
        .iter()
        .filter_map(
            |(name, result)| if let ResultFile::Run(run) = result { Some((name.as_str(), run.as_ref())) } else { None },
        )
        .collect();
    if runs.len() > 1 {
        page.overview(&runs);
    }
    for (name, result) in results {
        match result {
            ResultFile::Run(run) => page.run(name, run),
            ResultFile::Sustain(sustain) => page.sustain(name, sustain),
        }
    }
    let names = results.iter().map(|(name, _)| escape(name)).collect::<Vec<_>>().join(", ");
    let list = if results.len() > 1 { format!("<p class='about'>{names}</p>\n") } else { String::new() };
    format!(
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n\
         <meta name='viewport' content='width=device-width, initial-scale=1'>\n\
         <title>Response times: {names}</title>\n<style>\n{CSS}</style></head>\n<body>\n<h1>Response times</h1>\n\
         {list}{}\n<footer>metronome {}. Every request is in these figures, failed ones too. \
         Times are known to three digits.</footer>\n</body></html>\n",
        page.html,
        env!("CARGO_PKG_VERSION")
    )
}

struct Page {
    html: String,
    figures: u32,
}

impl Page {
    fn overview(&mut self, runs: &[(&str, &RunResult)]) {
        self.html.push_str("<section class='result'><h2>All runs</h2>");
        let rows = runs.iter().flat_map(|(name, run)| {
            let name = if run.valid { (*name).to_string() } else { format!("{name} (INVALID)") };
            [(name, "response", &run.response), (String::new(), "service", &run.service)]
        });
        self.table(rows);
        self.figure(&figures::overlay("Response", runs, |run| &run.response));
        self.figure(&figures::overlay("Service", runs, |run| &run.service));
        self.html.push_str("</section>\n");
    }

    fn run(&mut self, name: &str, run: &RunResult) {
        self.html.push_str(&format!("<section class='result'><h2>{}</h2>", escape(name)));
        self.invalid(run);
        self.facts(&[
            ("workload", run.workload.clone()),
            ("schedule", run.schedule.text.clone()),
            ("requests", requests(run)),
            ("sent", joined(&run.settings)),
            ("server", [run.hosts.join(" "), joined(&run.server)].join("  ")),
            ("generator", generator(run)),
            ("started", started(run)),
            ("command", run.command.join(" ")),
        ]);
        let mut rows = vec![("all".to_string(), "response", &run.response), (String::new(), "service", &run.service)];
        for statement in run.statements.iter().filter(|_| run.statements.len() > 1) {
            rows.push((statement.name.clone(), "response", &statement.response));
            rows.push((String::new(), "service", &statement.service));
        }
        self.table(rows);
        self.errors(run);
        if !run.response.is_empty() {
            self.figure(&figures::response_against_service(run));
            self.figure(&figures::over_time(run));
            self.figure(&figures::throughput_over_time(run));
        }
        self.html.push_str("</section>\n");
    }

    fn sustain(&mut self, name: &str, sustain: &SustainResult) {
        self.html.push_str(&format!("<section class='result'><h2>{}</h2>", escape(name)));
        let per_s = |rate: f64| format!("{}/s", count(rate.round() as u64));
        let found = match (sustain.sustainable_rate, sustain.spread) {
            (None, _) => "none of the rates tried".to_string(),
            (Some(rate), None) => per_s(rate),
            (Some(rate), Some((low, high))) => {
                format!("{}, {} to {} over the repeats", per_s(rate), per_s(low), per_s(high))
            }
        };
        self.facts(&[("service level", sustain.slo.clone()), ("sustainable", found)]);
        self.figure(&figures::throughput_against_latency(sustain));
        self.figure(&figures::curves_by_rate(sustain));
        let heads = "<tr><th>requests/s</th><th></th><th class='text'>because</th></tr>";
        let rows: String = sustain
            .steps
            .iter()
            .map(|step| {
                let verdict = format!("{:?}", step.verdict).to_lowercase();
                let rate = count(step.rate.round() as u64);
                format!(
                    "<tr><td>{rate}</td><td class='text'>{verdict}</td><td class='text'>{}</td></tr>",
                    escape(&step.reason)
                )
            })
            .collect();
        self.html.push_str(&format!("<table>{heads}{rows}</table></section>\n"));
    }

    fn invalid(&mut self, run: &RunResult) {
        if run.valid {
            return;
        }
        let reasons: String = run.invalid_reasons.iter().map(|reason| format!("<li>{}</li>", escape(reason))).collect();
        self.html.push_str(&format!(
            "<div class='invalid'>INVALID: these numbers do not describe the server<ul>{reasons}</ul></div>"
        ));
    }

    fn facts(&mut self, facts: &[(&str, String)]) {
        let known = facts.iter().filter(|(_, value)| !value.trim().is_empty());
        let rows: String = known.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", escape(value))).collect();
        self.html.push_str(&format!("<dl class='run'>{rows}</dl>"));
    }

    fn table<'a>(&mut self, rows: impl IntoIterator<Item = (String, &'a str, &'a Latencies)>) {
        let heads: String = PERCENTILES.iter().map(|p| format!("<th>{}</th>", percentile_name(*p))).collect();
        self.html.push_str(&format!("<table><tr><th>ms</th><th></th><th>requests</th>{heads}</tr>"));
        for (name, kind, latencies) in rows {
            let values: String =
                PERCENTILES.iter().map(|p| format!("<td>{}</td>", percentile_cell(latencies, *p))).collect();
            let (class, requests) = match name.is_empty() {
                true => ("", String::new()),
                false => (" class='group'", count(latencies.count())),
            };
            let name = escape(&name);
            self.html.push_str(&format!(
                "<tr{class}><td>{name}</td><td class='text'>{kind}</td><td>{requests}</td>{values}</tr>"
            ));
        }
        self.html.push_str("</table>");
    }

    fn errors(&mut self, run: &RunResult) {
        if run.errors.is_empty() {
            return;
        }
        self.html.push_str(
            "<table><tr><th>errors</th><th>code</th><th>requests</th><th class='text'>first message</th></tr>",
        );
        for error in &run.errors {
            let code = error.code.map_or(String::new(), |code| format!("0x{code:04X}"));
            let (class, example) = (escape(&error.class), escape(&error.example));
            let requests = count(error.count);
            self.html.push_str(&format!(
                "<tr><td>{class}</td><td>{code}</td><td>{requests}</td><td class='text'>{example}</td></tr>"
            ));
        }
        self.html.push_str("</table>");
    }

    fn figure(&mut self, figure: &Figure) {
        self.figures += 1;
        let (svg, caption) = (figure.chart.to_svg(), escape(&figure.caption));
        self.html.push_str(&format!(
            "<figure>{svg}<figcaption><b>Figure {}.</b> {caption}</figcaption></figure>",
            self.figures
        ));
    }
}

/// Formats a percentile in milliseconds; a dash if no request lies beyond it.
fn percentile_cell(latencies: &Latencies, percentile: f64) -> String {
    latencies.supported_percentile_ms(percentile).map_or("&ndash;".to_string(), ms)
}

fn requests(run: &RunResult) -> String {
    let requests = &run.requests;
    format!(
        "{} meant to start, {} sent, {} answered, {} failed in {:.1} s",
        count(requests.intended),
        count(requests.sent),
        count(requests.succeeded),
        count(requests.failed),
        run.duration_s
    )
}

fn generator(run: &RunResult) -> String {
    let hiccup = run.hiccups.as_ref().map_or("not watched".to_string(), |seen| format!("{} ms", ms(seen.max_ms())));
    format!(
        "{}behind by at most {} ms, longest hiccup {hiccup}, {:.1} CPU-s, \
         {} MB",
        sent_after(run),
        ms(run.behind_ms),
        run.cpu_user_s + run.cpu_system_s,
        run.peak_memory_bytes / 1_000_000
    )
}

fn started(run: &RunResult) -> String {
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(run.started_unix_ms);
    humantime::format_rfc3339_seconds(at).to_string()
}

fn joined(facts: &std::collections::BTreeMap<String, String>) -> String {
    facts.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}
