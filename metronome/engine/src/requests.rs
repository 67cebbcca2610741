//! The workload as the engine needs it.

/// One kind of request: prepared once per connection, then executed.
#[derive(Debug, Clone)]
pub struct StatementSpec {
    pub name: String,
    pub cql: String,
    /// Number of values that [`Requests::encode`] binds.
    pub values: u16,
    /// Code of the consistency level.
    pub consistency: u16,
    pub serial_consistency: Option<u16>,
    pub page_size: Option<i32>,
    /// Whether [`Requests::partition_key`] appends a key to route by.
    pub routed: bool,
    /// Whether to send a write timestamp that grows with the request's index, so that a later read shows which request
    /// wrote the row.
    pub timestamps: bool,
    /// Whether to record an acknowledgement.
    pub acknowledged: bool,
}

/// A workload: pure functions of the request's index, so that every request can be recomputed.
pub trait Requests: Send + Sync + 'static {
    fn statements(&self) -> &[StatementSpec];

    /// Statement and row of the request with this index.
    fn pick(&self, index: u64) -> (usize, u64);

    /// Appends the number of values and the values.
    fn encode(&self, statement: usize, row: u64, out: &mut Vec<u8>);

    /// Appends the routing key.
    fn partition_key(&self, statement: usize, row: u64, out: &mut Vec<u8>);
}
