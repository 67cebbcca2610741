//! Parameters of a workload.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::error::{Result, WorkloadError};

/// The `parameters:` block. Everything else is read after the parameters are filled in.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    parameters: IndexMap<String, String>,
}

/// Replaces each `$name` by the parameter's override, or else by its default from the `parameters:` block. Lines keep
/// their numbers, so that later errors point into the user's file.
pub(crate) fn fill_in(yaml: &str, overrides: &BTreeMap<String, String>) -> Result<(String, BTreeMap<String, String>)> {
    let head: Head = serde_saphyr::from_str(yaml).map_err(|error| WorkloadError::at("", error.to_string()))?;
    let mut values: BTreeMap<String, String> = head.parameters.into_iter().collect();
    let known = values.keys().cloned().collect::<Vec<_>>().join(", ");
    for (name, value) in overrides {
        let field = format!("parameters.{name}");
        if !values.contains_key(name) {
            let known = if known.is_empty() { "it has none".into() } else { format!("it has {known}") };
            return Err(WorkloadError::at(field, format!("this workload has no such parameter; {known}")));
        }
        if value.is_empty() || !value.chars().all(|c| c.is_ascii_alphanumeric() || "_.%+-:".contains(c)) {
            return Err(WorkloadError::at(field, format!("'{value}' is not a number, word, percentage or duration")));
        }
        values.insert(name.clone(), value.clone());
    }
    let filled: Result<Vec<String>> = yaml.lines().enumerate().map(|(at, line)| fill_line(at, line, &values)).collect();
    Ok((filled?.join("\n"), values))
}

fn fill_line(line_index: usize, line: &str, values: &BTreeMap<String, String>) -> Result<String> {
    if line.trim_start().starts_with('#') {
        return Ok(line.to_string());
    }
    let mut pieces = line.split('$');
    let mut filled = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        let value = values.get(name).ok_or_else(|| {
            let line_number = line_index + 1;
            WorkloadError::at(
                format!("${name}"),
                format!("line {line_number} uses it, but `parameters:` has no '{name}'"),
            )
        })?;
        filled.push_str(value);
        filled.push_str(rest);
    }
    Ok(filled)
}
