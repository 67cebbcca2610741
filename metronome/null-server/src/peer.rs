//! One client connection.

use crate::answer;
use crate::catalogue::{Catalogue, Kind};
use crate::throttle::Throttler;
use cql::{ErrorCode, FrameError, Header, Inbox, Opcode, Outbox, Version, read, response::kind, write};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, PoisonError};

/// State that the connections of a server share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) catalogue: Mutex<Catalogue>,
    pub(crate) address: SocketAddr,
    pub(crate) max_version: Version,
    pub(crate) throttler: Throttler,
    pub(crate) turns_away: Option<ErrorCode>,
    pub(crate) executed: std::sync::atomic::AtomicU64,
}

/// An answer that leaves later.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DelayedAnswer {
    pub(crate) stream: i16,
    pub(crate) is_read: bool,
}

#[derive(Debug)]
pub(crate) struct Peer {
    socket: TcpStream,
    inbox: Inbox,
    outbox: Option<Outbox>,
}

impl Peer {
    pub(crate) fn new(socket: TcpStream) -> Self {
        Self { socket, inbox: Inbox::new(), outbox: None }
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        &self.socket
    }

    /// Reads, answers and sends. Appends answers that leave later to `delayed`. Returns `false` when the connection has
    /// ended.
    pub(crate) fn serve(&mut self, shared: &Shared, delayed: &mut Vec<DelayedAnswer>) -> bool {
        loop {
            let room = self.inbox.room();
            let room_bytes = room.len();
            let read_bytes = match self.socket.read(room) {
                Ok(0) => return false,
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return false,
            };
            self.inbox.filled(read_bytes);
            if self.answer_all(shared, delayed).is_err() {
                return false;
            }
            if !self.flush() {
                return false;
            }
            if read_bytes < room_bytes {
                break;
            }
        }
        true
    }

    fn answer_all(&mut self, shared: &Shared, delayed: &mut Vec<DelayedAnswer>) -> Result<(), FrameError> {
        let immediate = shared.throttler.is_immediate();
        let mut executed = 0;
        while let Some((header, body)) = self.inbox.next_message()? {
            let outbox = match &mut self.outbox {
                Some(outbox) => outbox,
                None => {
                    let version = Version::from_byte(header.version_byte).filter(|v| *v <= shared.max_version);
                    let outbox = self.outbox.insert(Outbox::server(version.unwrap_or(shared.max_version)));
                    if version.is_none() {
                        let message = "Invalid or unsupported protocol version";
                        answer::error(header.stream, ErrorCode::PROTOCOL_ERROR, message, outbox);
                        self.outbox = None;
                        return self.refuse(shared.max_version, message);
                    }
                    outbox
                }
            };
            if header.opcode == Opcode::EXECUTE {
                if executed == 0 {
                    shared.throttler.executing(machine::now_ns());
                }
                executed += 1;
                execute(header, body, shared, outbox, if immediate { None } else { Some(&mut *delayed) })?;
                continue;
            }
            if header.opcode == Opcode::STARTUP {
                let mut body = body;
                let settings = read::string_map(&mut body)?;
                let lz4 = settings.iter().any(|(k, v)| k == "COMPRESSION" && v == "lz4");
                outbox.message(header.stream, Opcode::READY, |_| {});
                outbox.handshake_done(lz4);
                self.inbox.handshake_done(outbox.version() >= Version::V5, lz4);
                continue;
            }
            handle_rare(header, body, shared, outbox)?;
        }
        if executed > 0 {
            shared.executed.fetch_add(executed, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    }

    fn refuse(&mut self, version: Version, message: &str) -> Result<(), FrameError> {
        let mut outbox = Outbox::server(version);
        answer::error(0, ErrorCode::PROTOCOL_ERROR, message, &mut outbox);
        self.outbox = Some(outbox);
        self.flush();
        // The client must connect again with a supported version.
        Err(FrameError::Truncated { field: "protocol version" })
    }

    /// Writes an answer that is due.
    pub(crate) fn answer_delayed(&mut self, delayed: DelayedAnswer) {
        if let Some(outbox) = &mut self.outbox {
            result(delayed.stream, delayed.is_read, outbox);
        }
    }

    /// Sends the waiting bytes, as far as the socket takes them. Returns `false` when the connection has ended.
    pub(crate) fn flush(&mut self) -> bool {
        let Some(outbox) = &mut self.outbox else { return true };
        while outbox.waiting_bytes() > 0 {
            match self.socket.write(outbox.ready()) {
                Ok(0) => return false,
                Ok(n) => outbox.took(n),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return true,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
        true
    }
}

fn result(stream: i16, is_read: bool, outbox: &mut Outbox) {
    if is_read {
        outbox.message(stream, Opcode::RESULT, answer::no_rows);
    } else {
        outbox.message(stream, Opcode::RESULT, |out| write::int(kind::VOID, out));
    }
}

#[inline]
fn execute(
    header: Header,
    mut body: &[u8],
    shared: &Shared,
    outbox: &mut Outbox,
    delayed: Option<&mut Vec<DelayedAnswer>>,
) -> Result<(), FrameError> {
    let id = read::short_bytes(&mut body)?;
    let kind = id.first().copied().unwrap_or(u8::MAX);
    if kind <= Kind::Read as u8 {
        if let Some(code) = shared.turns_away {
            answer::error(header.stream, code, "this server turns requests away", outbox);
            return Ok(());
        }
        let is_read = kind == Kind::Read as u8;
        match delayed {
            Some(delayed) => delayed.push(DelayedAnswer { stream: header.stream, is_read }),
            None => result(header.stream, is_read, outbox),
        }
        return Ok(());
    }
    let catalogue = shared.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
    match catalogue.prepared(answer::statement_number(id)) {
        Some(statement) => answer::statement_result(&catalogue, statement, header.stream, shared.address, outbox),
        None => {
            answer::error(header.stream, ErrorCode::UNPREPARED, "this server has not prepared the statement", outbox)
        }
    }
    Ok(())
}

fn handle_rare(header: Header, body: &[u8], shared: &Shared, outbox: &mut Outbox) -> Result<(), FrameError> {
    let mut catalogue = shared.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = header.stream;
    match header.opcode {
        Opcode::OPTIONS => answer::supported(stream, outbox),
        Opcode::REGISTER => outbox.message(stream, Opcode::READY, |_| {}),
        Opcode::QUERY => answer::query(&mut catalogue, stream, body, shared.address, outbox)?,
        Opcode::PREPARE => answer::prepare(&mut catalogue, stream, body, shared.address, outbox)?,
        Opcode::BATCH => outbox.message(stream, Opcode::RESULT, |out| write::int(kind::VOID, out)),
        other => {
            let message = format!("this server does not know message 0x{:02x}", other.0);
            answer::error(stream, ErrorCode::PROTOCOL_ERROR, &message, outbox);
        }
    }
    Ok(())
}
