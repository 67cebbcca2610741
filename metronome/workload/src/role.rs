//! The role of a column in its table, which decides the index that its values are drawn from.

use crate::generator::Place;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    PartitionKey,
    Clustering,
    Static,
    Regular,
}

impl Role {
    pub(crate) fn is_key(self) -> bool {
        matches!(self, Role::PartitionKey | Role::Clustering)
    }

    #[inline]
    pub(crate) fn index(self, place: &Place) -> u64 {
        match self {
            Role::PartitionKey | Role::Static => place.partition,
            Role::Clustering => place.clustering,
            Role::Regular => place.row,
        }
    }
}

/// The salts of a column: one of its own, one that all columns of the table share.
#[derive(Clone, Copy)]
pub(crate) struct Salts {
    pub column: u64,
    pub table: u64,
}
