//! Built-in workloads.

/// Name and YAML of each built-in workload.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("writes", include_str!("../../workloads/writes.yaml")),
    ("emp", include_str!("../../workloads/emp.yaml")),
    ("locations", include_str!("../../workloads/locations.yaml")),
    ("pulse", include_str!("../../workloads/pulse.yaml")),
];

/// Returns the YAML of a built-in workload.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, yaml)| *yaml)
}
