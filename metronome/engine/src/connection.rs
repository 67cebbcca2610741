//! One connection of a load thread: its life, its socket and its buffers.

mod exchange;

pub(crate) use exchange::{Handling, Retries};

use crate::config::{Config, Protocol};
use crate::handshake::{ConnectionError, Handshake, Step};
use crate::requests::Requests;
use crate::slots::{Op, Slots};
use crate::topology::Host;
use crate::transport::{Transfer, Transport};
use cql::{Inbox, Version};
use exchange::Exchange;

const FIRST_RETRY_NS: u64 = 50_000_000;
const LAST_RETRY_NS: u64 = 1_000_000_000;

#[derive(Debug)]
pub(crate) enum Phase {
    Down { retry_at_ns: u64 },
    Connecting { handshake: Option<Handshake>, deadline_ns: u64 },
    Ready,
}

/// A change of a connection's state while its bytes were read or written.
#[derive(Debug)]
pub(crate) enum StateChange {
    None,
    Ready,
    Lost(ConnectionError),
}

#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) host: usize,
    pub(crate) phase: Phase,
    /// Whether it has bytes to send and is on the load thread's list.
    pub(crate) dirty: bool,
    transport: Option<Transport>,
    inbox: Inbox,
    exchange: Exchange,
    version: Version,
    retry_ns: u64,
    pub(crate) last_read_ns: u64,
    pub(crate) attempts: u32,
}

impl Connection {
    pub(crate) fn new(host: usize, protocol: &Protocol) -> Self {
        let version = protocol.version.unwrap_or(Version::V5);
        Self {
            host,
            phase: Phase::Down { retry_at_ns: 0 },
            dirty: false,
            transport: None,
            inbox: Inbox::new(),
            exchange: Exchange::new(version, false),
            version,
            retry_ns: FIRST_RETRY_NS,
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
        self.is_ready() && self.exchange.has_room(in_flight)
    }

    pub(crate) fn slots(&mut self) -> &mut Slots {
        &mut self.exchange.slots
    }

    /// Starts to connect. The caller watches the returned socket, which becomes writable when connected.
    pub(crate) fn connect(&mut self, host: &Host, config: &Config, now_ns: u64) -> std::io::Result<&Transport> {
        self.attempts += 1;
        self.inbox = Inbox::new();
        self.exchange = Exchange::new(self.version, config.send_again);
        let deadline_ns = now_ns + config.connect_timeout.as_nanos() as u64;
        self.phase = Phase::Connecting { handshake: None, deadline_ns };
        self.last_read_ns = now_ns;
        let transport = Transport::connect(host.address, config.protocol.tls.as_ref())?;
        Ok(self.transport.insert(transport))
    }

    /// Closes the socket and returns the requests in flight. The next attempt to connect follows after a pause, which
    /// doubles with each failure.
    pub(crate) fn close(&mut self, now_ns: u64) -> Vec<Op> {
        self.transport = None;
        self.dirty = false;
        self.phase = Phase::Down { retry_at_ns: now_ns + self.retry_ns };
        self.retry_ns = (self.retry_ns * 2).min(LAST_RETRY_NS);
        self.exchange.slots.drain()
    }

    /// Encodes one request; its bytes leave with [`Connection::flush`].
    #[inline]
    pub(crate) fn send<R: Requests>(&mut self, op: Op, row: u64, requests: &R, timestamp_us: i64) {
        self.exchange.execute(op, row, requests, timestamp_us);
    }

    #[inline]
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.exchange.outbox.waiting_bytes()
    }

    /// Sends the waiting bytes, as far as the socket takes them.
    #[inline]
    pub(crate) fn flush(&mut self) -> StateChange {
        let Some(transport) = &mut self.transport else { return StateChange::None };
        let outbox = &mut self.exchange.outbox;
        while outbox.waiting_bytes() > 0 || transport.wants_write() {
            match transport.write(outbox.ready()) {
                Ok(Transfer::Bytes(n)) => outbox.took(n),
                Ok(Transfer::WouldBlock) => break,
                Ok(Transfer::Closed) => return StateChange::Lost(ConnectionError::closed()),
                Err(e) => return StateChange::Lost(ConnectionError::Lost(e.to_string())),
            }
            if transport.wants_write() {
                break;
            }
        }
        StateChange::None
    }

    /// Runs when the socket has become writable: it is connected, or takes more bytes.
    pub(crate) fn on_writable<R: Requests>(&mut self, protocol: &Protocol, requests: &R) -> StateChange {
        if let Phase::Connecting { handshake: handshake @ None, .. } = &mut self.phase {
            if let Some(error) = self.transport.as_ref().and_then(Transport::connect_error) {
                return StateChange::Lost(ConnectionError::Lost(error.to_string()));
            }
            *handshake = Some(Handshake::start(protocol, requests.statements().len(), &mut self.exchange.outbox));
        }
        self.flush()
    }

    /// Reads and handles everything that has arrived.
    pub(crate) fn on_readable<R: Requests>(&mut self, protocol: &Protocol, to: &mut Handling<'_, R>) -> StateChange {
        let mut change = StateChange::None;
        loop {
            let Some(transport) = &mut self.transport else { return change };
            let room = self.inbox.room();
            let room_bytes = room.len();
            let read_bytes = match transport.read(room) {
                Ok(Transfer::Bytes(n)) => n,
                Ok(Transfer::WouldBlock) => return change,
                Ok(Transfer::Closed) => return StateChange::Lost(ConnectionError::closed()),
                Err(e) => return StateChange::Lost(ConnectionError::Lost(e.to_string())),
            };
            self.inbox.filled(read_bytes);
            to.now_ns = machine::now_ns();
            self.last_read_ns = to.now_ns;
            let handled = if self.is_ready() {
                self.responses(to)
            } else {
                self.handshake_messages(protocol, to.requests).map(|ready| {
                    if ready {
                        change = StateChange::Ready;
                    }
                })
            };
            if let Err(error) = handled {
                return StateChange::Lost(error);
            }
            // A plain socket that returned less than asked for is empty. TLS returns one record at a time.
            if read_bytes < room_bytes && protocol.tls.is_none() {
                return change;
            }
        }
    }

    #[inline]
    fn responses<R: Requests>(&mut self, to: &mut Handling<'_, R>) -> Result<(), ConnectionError> {
        while let Some((header, body)) = self.inbox.next_message()? {
            self.exchange.on_response(header, body, to)?;
        }
        Ok(())
    }

    /// Continues the handshake. Returns whether it is complete.
    fn handshake_messages<R: Requests>(&mut self, protocol: &Protocol, requests: &R) -> Result<bool, ConnectionError> {
        let Phase::Connecting { handshake: Some(handshake), .. } = &mut self.phase else { return Ok(false) };
        let statements = requests.statements();
        while let Some(message) = self.inbox.next_message()? {
            match handshake.on_message(message, protocol, statements, &mut self.exchange.outbox) {
                Ok(Step::Waiting) => {}
                Ok(Step::Framing) => self.inbox.handshake_done(self.version >= Version::V5, protocol.lz4),
                Ok(Step::Ready) => {
                    let Phase::Connecting { handshake: Some(handshake), .. } =
                        std::mem::replace(&mut self.phase, Phase::Ready)
                    else {
                        return Ok(false);
                    };
                    self.exchange.templates = handshake.into_templates();
                    self.retry_ns = FIRST_RETRY_NS;
                    return Ok(true);
                }
                Err(ConnectionError::Version(_)) if protocol.version.is_none() && self.version == Version::V5 => {
                    self.version = Version::V4;
                    return Err(ConnectionError::Version(5));
                }
                Err(error) => return Err(error),
            }
        }
        match self.flush() {
            StateChange::Lost(error) => Err(error),
            _ => Ok(false),
        }
    }
}
