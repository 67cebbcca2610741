//! Replication of the keyspace.

use std::str::FromStr;

/// Replication factors: `3` for SimpleStrategy, or `dc1:3,dc2:3` by datacenter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replication {
    Simple(u32),
    Datacenters(Vec<(String, u32)>),
}

impl Replication {
    /// The CQL map for `CREATE KEYSPACE ... WITH replication =`.
    pub fn to_cql(&self) -> String {
        match self {
            Replication::Simple(copies) => format!("{{'class': 'SimpleStrategy', 'replication_factor': {copies}}}"),
            Replication::Datacenters(all) => {
                let each: Vec<_> = all.iter().map(|(name, copies)| format!(", '{name}': {copies}")).collect();
                format!("{{'class': 'NetworkTopologyStrategy'{}}}", each.concat())
            }
        }
    }
}

impl FromStr for Replication {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(copies) = copies(text) {
            return Ok(Replication::Simple(copies));
        }
        let mut all: Vec<(String, u32)> = Vec::new();
        for part in text.split(',') {
            let parsed = part.trim().rsplit_once(':').and_then(|(name, count)| Some((name.trim(), copies(count)?)));
            match parsed {
                Some((name, _)) if all.iter().any(|(seen, _)| seen == name) => {
                    return Err(format!("replication names datacenter '{name}' twice"));
                }
                Some((name, count)) if is_datacenter_name(name) => all.push((name.to_string(), count)),
                _ => return Err(format!("replication '{text}': write a number such as 3, or dc1:3,dc2:3")),
            }
        }
        Ok(Replication::Datacenters(all))
    }
}

fn copies(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|count| (1..=100).contains(count))
}

fn is_datacenter_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}
