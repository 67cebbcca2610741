//! Requests and responses of one connection: its streams, its prepared statements, its outgoing bytes.

use crate::handshake;
use crate::outcome::Failure;
use crate::recorder::Recorder;
use crate::requests::{Requests, StatementSpec};
use crate::slots::{Answered, Op, Slots};
use cql::request::ExecuteTemplate;
use cql::{ErrorCode, FrameError, Header, Opcode, Outbox, Version, read, response};

/// A connection with more unsent bytes than this gets no further requests: its host does not read.
const MAX_UNSENT_BYTES: usize = 1 << 20;

/// Errors of a server that carried nothing out, where another one may: it is stopping, starting, or does not see the
/// replicas that others see.
const TURNED_AWAY: [ErrorCode; 3] = [ErrorCode::OVERLOADED, ErrorCode::IS_BOOTSTRAPPING, ErrorCode::UNAVAILABLE];

/// Requests that are to be sent again.
#[derive(Debug, Default)]
pub(crate) struct Retries {
    /// To the same host, before everything that waits there.
    pub(crate) same_host: Vec<Op>,
    /// To another host, with the error of this one.
    pub(crate) other_host: Vec<(Op, ErrorCode, String)>,
}

/// State of the load thread that a connection needs to handle responses.
pub(crate) struct Handling<'a, R> {
    pub(crate) requests: &'a R,
    pub(crate) recorder: &'a mut Recorder,
    pub(crate) retries: &'a mut Retries,
    pub(crate) timestamp_base_us: i64,
    /// Time at which the response was read.
    pub(crate) now_ns: u64,
}

#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) slots: Slots,
    pub(super) outbox: Outbox,
    pub(super) templates: Vec<ExecuteTemplate>,
    /// Statements that the server has forgotten and is preparing again.
    preparing: Vec<u16>,
    /// Statements that could not be prepared again, and why.
    refused: Vec<(u16, ErrorCode, String)>,
    /// Whether a request that this server turned away unexecuted may go to another one.
    retry_elsewhere: bool,
}

impl Exchange {
    pub(super) fn new(version: Version, retry_elsewhere: bool) -> Self {
        Self {
            slots: Slots::new(),
            outbox: Outbox::client(version),
            templates: Vec::new(),
            preparing: Vec::new(),
            refused: Vec::new(),
            retry_elsewhere,
        }
    }

    /// Whether another request may be sent now.
    #[inline]
    pub(super) fn has_room(&self, in_flight: usize) -> bool {
        self.slots.live() < in_flight
            && !self.slots.is_full()
            && self.preparing.is_empty()
            && self.outbox.waiting_bytes() < MAX_UNSENT_BYTES
    }

    /// Encodes one request.
    #[inline]
    pub(super) fn execute<R: Requests>(&mut self, op: Op, row: u64, requests: &R, timestamp_us: i64) {
        let statement = usize::from(op.statement);
        let stream = self.slots.send(op);
        let template = &self.templates[statement];
        self.outbox.message(stream, Opcode::EXECUTE, |out| {
            template.write(|out| requests.encode(statement, row, out), None, timestamp_us, out);
        });
    }

    /// Encodes the request for the next page of a result. Separate from [`Exchange::execute`], so that the compiler
    /// inlines the encoding there.
    #[inline(never)]
    fn execute_next_page<R: Requests>(&mut self, op: Op, paging_state: &[u8], requests: &R, timestamp_base_us: i64) {
        let (statement, row) = requests.pick(op.index);
        let stream = self.slots.send(op);
        let template = &self.templates[statement];
        let timestamp_us = timestamp_base_us + op.index.cast_signed();
        self.outbox.message(stream, Opcode::EXECUTE, |out| {
            template.write(|out| requests.encode(statement, row, out), Some(paging_state), timestamp_us, out);
        });
    }

    #[inline(always)]
    pub(super) fn on_response<R: Requests>(
        &mut self,
        header: Header,
        body: &[u8],
        to: &mut Handling<'_, R>,
    ) -> Result<(), FrameError> {
        if header.stream < 0 {
            return Ok(());
        }
        match self.slots.answered(header.stream) {
            Answered::Request(op) if header.opcode == Opcode::RESULT => {
                self.on_result(op, response::payload(&header, body)?, to)
            }
            Answered::Request(op) => {
                let spec = &to.requests.statements()[usize::from(op.statement)];
                self.on_error(op, spec, response::payload(&header, body)?, to.recorder, to.retries, to.now_ns)
            }
            Answered::Prepare { statement } => {
                let spec = &to.requests.statements()[usize::from(statement)];
                self.on_prepared(statement, spec, header, body, to.recorder)
            }
            Answered::Late => {
                to.recorder.late_responses += 1;
                Ok(())
            }
            Answered::Unknown => Ok(()),
        }
    }

    #[inline(always)]
    fn on_result<R: Requests>(&mut self, op: Op, mut body: &[u8], to: &mut Handling<'_, R>) -> Result<(), FrameError> {
        let mut rows = 0;
        if read::int(&mut body)? == response::kind::ROWS {
            let page = response::rows(&mut body)?;
            rows = u64::from(page.rows.cast_unsigned());
            if let Some(paging_state) = page.paging_state {
                self.execute_next_page(op, paging_state, to.requests, to.timestamp_base_us);
                to.recorder.page(&op, rows);
                return Ok(());
            }
        }
        let acknowledged = to.requests.statements()[usize::from(op.statement)].acknowledged;
        to.recorder.success(&op, acknowledged, rows, to.now_ns);
        Ok(())
    }

    #[cold]
    fn on_error(
        &mut self,
        op: Op,
        spec: &StatementSpec,
        body: &[u8],
        recorder: &mut Recorder,
        retries: &mut Retries,
        now_ns: u64,
    ) -> Result<(), FrameError> {
        let (code, message) = response::error(body)?;
        if code == ErrorCode::UNPREPARED {
            self.prepare_again(op.statement, spec);
            // The statement may be impossible to prepare, for example without its table: the request fails for that.
            match self.refused.iter().find(|(s, ..)| *s == op.statement) {
                Some((_, code, why)) => recorder.failure(&op, Failure::Server(*code), now_ns, || why.clone()),
                None => retries.same_host.push(op),
            }
        } else if self.retry_elsewhere && TURNED_AWAY.contains(&code) {
            retries.other_host.push((op, code, message));
        } else {
            recorder.failure(&op, Failure::Server(code), now_ns, || message);
        }
        Ok(())
    }

    fn prepare_again(&mut self, statement: u16, spec: &StatementSpec) {
        if !self.preparing.contains(&statement) && !self.slots.is_full() {
            self.preparing.push(statement);
            let stream = self.slots.prepare(statement);
            handshake::prepare_one(stream, spec, &mut self.outbox);
        }
    }

    #[cold]
    fn on_prepared(
        &mut self,
        statement: u16,
        spec: &StatementSpec,
        header: Header,
        body: &[u8],
        recorder: &mut Recorder,
    ) -> Result<(), FrameError> {
        let body = response::payload(&header, body)?;
        self.preparing.retain(|s| *s != statement);
        self.refused.retain(|(s, ..)| *s != statement);
        if header.opcode == Opcode::ERROR {
            let (code, message) = response::error(body)?;
            self.refused.push((statement, code, message));
        } else if let Ok(template) = handshake::template(self.outbox.version(), spec, body) {
            self.templates[usize::from(statement)] = template;
            recorder.prepared_again += 1;
        }
        Ok(())
    }
}
