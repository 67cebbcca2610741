//! Shares of the statements.

use indexmap::IndexMap;

use crate::error::{Result, WorkloadError};
use crate::format::{StatementYaml, Weight};

/// Computes the share of each statement; the shares sum to 1.
pub(crate) fn shares(statements: &IndexMap<String, StatementYaml>) -> Result<Vec<f64>> {
    let percent: f64 =
        statements.values().filter_map(|yaml| if let Weight::Percent(p) = yaml.weight { Some(p) } else { None }).sum();
    let in_percent = statements.values().any(|yaml| !matches!(yaml.weight, Weight::Relative(_)));
    let rests = statements.values().filter(|yaml| yaml.weight == Weight::Rest).count();
    if percent > 100.0 + 1e-9 {
        return Err(WorkloadError::at("statements", format!("the weights add up to {percent}%, more than 100%")));
    }
    let mut weights = Vec::new();
    for (name, yaml) in statements {
        weights.push(match yaml.weight {
            Weight::Percent(share) => share,
            Weight::Rest => (100.0 - percent).max(0.0) / rests as f64,
            Weight::Relative(_) if in_percent => {
                let field = format!("statements.{name}.weight");
                return Err(WorkloadError::at(field, "other weights are percentages: write a percentage or rest"));
            }
            Weight::Relative(weight) => weight,
        });
    }
    let total: f64 = weights.iter().sum();
    if in_percent && (total - 100.0).abs() > 1e-6 {
        return Err(WorkloadError::at(
            "statements",
            format!("the weights add up to {total}%, not 100%; give one `rest`"),
        ));
    }
    if total <= 0.0 {
        return Err(WorkloadError::at("statements", "at least one statement needs a weight above 0"));
    }
    Ok(weights.iter().map(|weight| weight / total).collect())
}
