//! Errors of workloads.

use std::fmt;

/// An error in a workload: the path of the invalid field, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct WorkloadError {
    /// Path of the invalid field in the YAML, such as `tables.emp.columns.emp_dept`. Empty when the YAML does not
    /// parse; the message then has line and column.
    pub field: String,
    pub message: String,
}

impl WorkloadError {
    pub(crate) fn at(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.is_empty() {
            true => write!(out, "workload: {}", self.message),
            false => write!(out, "workload: {}: {}", self.field, self.message),
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, WorkloadError>;
