//! Adapts a workload to the engine.

use engine::{Requests, StatementSpec};
use workload::{Statement, Workload};

/// A workload with the engine's descriptions of its statements.
#[derive(Debug)]
pub(crate) struct WorkloadRequests {
    workload: Workload,
    specs: Vec<StatementSpec>,
}

impl WorkloadRequests {
    pub(crate) fn new(workload: Workload) -> Self {
        let specs = workload.statements().iter().map(spec).collect();
        Self { workload, specs }
    }
}

fn spec(statement: &Statement) -> StatementSpec {
    StatementSpec {
        name: statement.name.clone(),
        cql: statement.cql.clone(),
        values: statement.bound.len() as u16,
        consistency: statement.consistency.code(),
        serial_consistency: statement.serial_consistency.map(workload::Consistency::code),
        page_size: statement.page_size,
        routed: !statement.partition_key.is_empty(),
        // A conditional write gets its timestamp from the Paxos ballot.
        timestamps: statement.is_write && statement.serial_consistency.is_none(),
        acknowledged: statement.is_write,
    }
}

impl Requests for WorkloadRequests {
    fn statements(&self) -> &[StatementSpec] {
        &self.specs
    }

    #[inline]
    fn pick(&self, index: u64) -> (usize, u64) {
        self.workload.pick(index)
    }

    #[inline]
    fn encode(&self, statement: usize, row: u64, out: &mut Vec<u8>) {
        self.workload.statements()[statement].encode(row, out);
    }

    #[inline]
    fn partition_key(&self, statement: usize, row: u64, out: &mut Vec<u8>) {
        self.workload.statements()[statement].partition_key(row, out);
    }
}
