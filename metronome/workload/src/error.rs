use std::fmt;

/// Why a workload cannot be used: the path of the wrong field and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct WorkloadError {
    /// Path of the wrong field in the YAML, such as `tables.emp.columns.emp_dept`; empty when the YAML itself does
    /// not parse, in which case the message shows line and column.
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
