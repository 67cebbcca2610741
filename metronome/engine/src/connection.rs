//! One connection of a load thread: its socket, its buffers and its requests in flight.

use crate::config::{Config, Protocol};
use crate::handshake::{self, Handshake, Refusal, Step};
use crate::outcome::Failure;
use crate::recorder::Recorder;
use crate::requests::Requests;
use crate::slots::{Answered, Op, Slots};
use crate::topology::Host;
use crate::transport::{Moved, Transport};
use cql::request::ExecuteTemplate;
use cql::{ErrorCode, FrameError, Inbox, Opcode, Outbox, Version, read, response};

/// More than this waiting to be sent means that the host does not read: further requests wait elsewhere.
const MOST_WAITING_BYTES: usize = 1 << 20;

const FIRST_RETRY_NS: u64 = 50_000_000;
const LAST_RETRY_NS: u64 = 1_000_000_000;

#[derive(Debug)]
pub(crate) enum Phase {
    Down { retry_at_ns: u64 },
    Connecting { handshake: Option<Handshake>, deadline_ns: u64 },
    Ready,
}

/// What became of a connection while its bytes were moved.
/// Requests that were answered with the wish that they be sent again.
#[derive(Debug, Default)]
pub(crate) struct Again {
    /// To the same host, before all that waits there.
    pub(crate) here: Vec<Op>,
    /// To another host, with what this one said: it comes up, goes down, or has too much to do.
    pub(crate) elsewhere: Vec<(Op, ErrorCode, String)>,
}

#[derive(Debug)]
pub(crate) enum Change {
    None,
    BecameReady,
    Broke(Refusal),
}

#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) host: usize,
    pub(crate) phase: Phase,
    pub(crate) slots: Slots,
    /// Has bytes to send and is on the load thread's list.
    pub(crate) dirty: bool,
    transport: Option<Transport>,
    outbox: Outbox,
    inbox: Inbox,
    templates: Vec<ExecuteTemplate>,
    /// Statements the server has forgotten and is preparing again.
    preparing: Vec<u16>,
    /// Statements that could not be prepared again, and why.
    refused: Vec<(u16, ErrorCode, String)>,
    version: Version,
    retry_ns: u64,
    /// What this server turns away unexecuted may go to another one.
    send_elsewhere: bool,
    pub(crate) last_read_ns: u64,
    pub(crate) attempts: u32,
}

impl Connection {
    pub(crate) fn new(host: usize, protocol: &Protocol) -> Self {
        let version = protocol.version.unwrap_or(Version::V5);
        Self {
            host,
            phase: Phase::Down { retry_at_ns: 0 },
            slots: Slots::new(),
            dirty: false,
            transport: None,
            outbox: Outbox::client(version),
            inbox: Inbox::new(),
            templates: Vec::new(),
            preparing: Vec::new(),
            refused: Vec::new(),
            version,
            retry_ns: FIRST_RETRY_NS,
            send_elsewhere: false,
            last_read_ns: 0,
            attempts: 0,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.phase, Phase::Ready)
    }

    /// Whether another request may be sent now.
    #[inline]
    pub(crate) fn has_room(&self, in_flight: usize) -> bool {
        self.is_ready()
            && self.slots.live() < in_flight
            && !self.slots.is_full()
            && self.preparing.is_empty()
            && self.outbox.waiting_bytes() < MOST_WAITING_BYTES
    }

    /// Begins to connect. The socket is to be watched; it becomes writable when connected.
    pub(crate) fn connect(&mut self, host: &Host, config: &Config, now_ns: u64) -> std::io::Result<&Transport> {
        self.attempts += 1;
        self.outbox = Outbox::client(self.version);
        self.inbox = Inbox::new();
        self.preparing.clear();
        self.refused.clear();
        self.send_elsewhere = config.send_again;
        let deadline_ns = now_ns + config.connect_timeout.as_nanos() as u64;
        self.phase = Phase::Connecting { handshake: None, deadline_ns };
        self.last_read_ns = now_ns;
        let transport = Transport::connect(host.address, config.protocol.tls.as_ref())?;
        Ok(self.transport.insert(transport))
    }

    /// Closes the socket and gives back what was in flight; tries again after a pause that grows while it fails.
    pub(crate) fn close(&mut self, now_ns: u64) -> Vec<Op> {
        self.transport = None;
        self.dirty = false;
        self.phase = Phase::Down { retry_at_ns: now_ns + self.retry_ns };
        self.retry_ns = (self.retry_ns * 2).min(LAST_RETRY_NS);
        self.slots.drain()
    }

    /// Encodes one request; its bytes leave with [`Connection::flush`].
    #[inline]
    pub(crate) fn send<R: Requests>(&mut self, op: Op, row: u64, requests: &R, timestamp_us: i64) {
        let statement = usize::from(op.statement);
        let stream = self.slots.send(op);
        let template = &self.templates[statement];
        self.outbox.message(stream, Opcode::EXECUTE, |out| {
            template.write(|out| requests.encode(statement, row, out), None, timestamp_us, out);
        });
    }

    #[inline]
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.outbox.waiting_bytes()
    }

    /// Sends what is waiting, as far as the socket takes it.
    #[inline]
    pub(crate) fn flush(&mut self) -> Change {
        let Some(transport) = &mut self.transport else { return Change::None };
        while self.outbox.waiting_bytes() > 0 || transport.wants_write() {
            match transport.write(self.outbox.ready()) {
                Ok(Moved::Bytes(n)) => self.outbox.took(n),
                Ok(Moved::Later) => break,
                Ok(Moved::Closed) => return Change::Broke(Refusal::Broken("the server closed the connection".into())),
                Err(e) => return Change::Broke(Refusal::Broken(e.to_string())),
            }
            if transport.wants_write() {
                break;
            }
        }
        Change::None
    }

    /// The socket has become writable: connected, or able to take more.
    pub(crate) fn on_writable<R: Requests>(&mut self, protocol: &Protocol, requests: &R) -> Change {
        if let Phase::Connecting { handshake: handshake @ None, .. } = &mut self.phase {
            if let Some(error) = self.transport.as_ref().and_then(Transport::connect_error) {
                return Change::Broke(Refusal::Broken(error.to_string()));
            }
            *handshake = Some(Handshake::start(protocol, requests.statements().len(), &mut self.outbox));
        }
        self.flush()
    }

    /// Reads and handles everything that has arrived. Requests to be sent again are appended to `again`.
    pub(crate) fn on_readable<R: Requests>(
        &mut self,
        protocol: &Protocol,
        requests: &R,
        recorder: &mut Recorder,
        timestamp_base_us: i64,
        again: &mut Again,
    ) -> Change {
        let mut change = Change::None;
        loop {
            let Some(transport) = &mut self.transport else { return change };
            let room = self.inbox.room();
            let room_bytes = room.len();
            let read_bytes = match transport.read(room) {
                Ok(Moved::Bytes(n)) => n,
                Ok(Moved::Later) => return change,
                Ok(Moved::Closed) => return Change::Broke(Refusal::Broken("the server closed the connection".into())),
                Err(e) => return Change::Broke(Refusal::Broken(e.to_string())),
            };
            self.inbox.filled(read_bytes);
            let now_ns = machine::now_ns();
            self.last_read_ns = now_ns;
            let handled = if self.is_ready() {
                self.responses(requests, recorder, timestamp_base_us, now_ns, again).map_err(Refusal::from)
            } else {
                self.handshake_messages(protocol, requests).map(|ready| {
                    if ready {
                        change = Change::BecameReady;
                    }
                })
            };
            if let Err(refusal) = handled {
                return Change::Broke(refusal);
            }
            // A plain socket that gave less than asked for is empty; TLS gives record by record.
            if read_bytes < room_bytes && protocol.tls.is_none() {
                return change;
            }
        }
    }

    fn handshake_messages<R: Requests>(&mut self, protocol: &Protocol, requests: &R) -> Result<bool, Refusal> {
        let Phase::Connecting { handshake: Some(handshake), .. } = &mut self.phase else { return Ok(false) };
        let statements = requests.statements();
        while let Some(message) = self.inbox.next_message()? {
            match handshake.on_message(message, protocol, statements, &mut self.outbox) {
                Ok(Step::Waiting) => {}
                Ok(Step::Framing) => self.inbox.handshake_done(self.version >= Version::V5, protocol.lz4),
                Ok(Step::Ready) => {
                    let Phase::Connecting { handshake: Some(handshake), .. } =
                        std::mem::replace(&mut self.phase, Phase::Ready)
                    else {
                        return Ok(false);
                    };
                    self.templates = handshake.into_templates();
                    self.retry_ns = FIRST_RETRY_NS;
                    return Ok(true);
                }
                Err(Refusal::Version(_)) if protocol.version.is_none() && self.version == Version::V5 => {
                    self.version = Version::V4;
                    return Err(Refusal::Version(5));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        match self.flush() {
            Change::Broke(refusal) => Err(refusal),
            _ => Ok(false),
        }
    }

    #[inline]
    fn responses<R: Requests>(
        &mut self,
        requests: &R,
        recorder: &mut Recorder,
        timestamp_base_us: i64,
        now_ns: u64,
        again: &mut Again,
    ) -> Result<(), FrameError> {
        while let Some((header, body)) = self.inbox.next_message()? {
            if header.stream < 0 {
                continue;
            }
            let op = match self.slots.answered(header.stream) {
                Answered::Request(op) => op,
                Answered::Prepare { statement } => {
                    let body = response::payload(&header, body)?;
                    self.preparing.retain(|s| *s != statement);
                    self.refused.retain(|(s, ..)| *s != statement);
                    if header.opcode == Opcode::ERROR {
                        let (code, message) = response::error(body)?;
                        self.refused.push((statement, code, message));
                    } else if let Ok(template) =
                        handshake::template(self.version, &requests.statements()[usize::from(statement)], body)
                    {
                        self.templates[usize::from(statement)] = template;
                        recorder.prepared_again += 1;
                    }
                    continue;
                }
                Answered::Late => {
                    recorder.late_responses += 1;
                    continue;
                }
                Answered::Unknown => continue,
            };
            let mut body = response::payload(&header, body)?;
            let spec = &requests.statements()[usize::from(op.statement)];
            if header.opcode != Opcode::RESULT {
                let (code, message) = response::error(body)?;
                if code == ErrorCode::UNPREPARED {
                    if !self.preparing.contains(&op.statement) && !self.slots.is_full() {
                        self.preparing.push(op.statement);
                        let stream = self.slots.prepare(op.statement);
                        handshake::prepare_one(stream, spec, &mut self.outbox);
                    }
                    // Without the table, say, it cannot be prepared: then that is what the request failed of.
                    match self.refused.iter().find(|(s, ..)| *s == op.statement) {
                        Some((_, code, why)) => recorder.failure(&op, Failure::Server(*code), now_ns, || why.clone()),
                        None => again.here.push(op),
                    }
                } else if self.send_elsewhere && matches!(code, ErrorCode::OVERLOADED | ErrorCode::IS_BOOTSTRAPPING) {
                    again.elsewhere.push((op, code, message));
                } else {
                    recorder.failure(&op, Failure::Server(code), now_ns, || message);
                }
                continue;
            }
            let mut rows = 0;
            if read::int(&mut body)? == response::kind::ROWS {
                let page = response::rows(&mut body)?;
                rows = u64::from(page.rows.cast_unsigned());
                if let Some(state) = page.paging_state {
                    let (statement, row) = requests.pick(op.index);
                    let stream = self.slots.send(op);
                    let timestamp_us = timestamp_base_us + op.index.cast_signed();
                    let template = &self.templates[statement];
                    self.outbox.message(stream, Opcode::EXECUTE, |out| {
                        template.write(|out| requests.encode(statement, row, out), Some(state), timestamp_us, out);
                    });
                    recorder.page(&op, rows);
                    continue;
                }
            }
            recorder.success(&op, spec.acknowledged, rows, now_ns);
        }
        Ok(())
    }
}
