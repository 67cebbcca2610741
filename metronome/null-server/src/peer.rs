//! One client connection.

use crate::answer;
use crate::catalogue::{Catalogue, Kind};
use crate::pace::Pacer;
use cql::{ErrorCode, FrameError, Header, Inbox, Opcode, Outbox, Version, read, response::kind, write};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, PoisonError};

/// What every connection of a server shares.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) catalogue: Mutex<Catalogue>,
    pub(crate) address: SocketAddr,
    pub(crate) max_version: Version,
    pub(crate) pacer: Pacer,
    pub(crate) executed: std::sync::atomic::AtomicU64,
}

/// A request whose answer waits for its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paced {
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

    /// Reads, answers and sends; requests to be answered later are appended to `paced`. `false` when the connection
    /// is over.
    pub(crate) fn serve(&mut self, common: &Common, paced: &mut Vec<Paced>) -> bool {
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
            if self.answer_all(common, paced).is_err() {
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

    fn answer_all(&mut self, common: &Common, paced: &mut Vec<Paced>) -> Result<(), FrameError> {
        let immediate = common.pacer.is_immediate();
        let mut executed = 0;
        while let Some((header, body)) = self.inbox.next_message()? {
            let outbox = match &mut self.outbox {
                Some(outbox) => outbox,
                None => {
                    let version = Version::from_byte(header.version_byte).filter(|v| *v <= common.max_version);
                    let outbox = self.outbox.insert(Outbox::server(version.unwrap_or(common.max_version)));
                    if version.is_none() {
                        let message = "Invalid or unsupported protocol version";
                        answer::error(header.stream, ErrorCode::PROTOCOL_ERROR, message, outbox);
                        self.outbox = None;
                        return self.refuse(common.max_version, message);
                    }
                    outbox
                }
            };
            if header.opcode == Opcode::EXECUTE {
                if executed == 0 {
                    common.pacer.executing(machine::now_ns());
                }
                executed += 1;
                execute(header, body, common, outbox, if immediate { None } else { Some(&mut *paced) })?;
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
            rarely(header, body, common, outbox)?;
        }
        if executed > 0 {
            common.executed.fetch_add(executed, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    }

    fn refuse(&mut self, version: Version, message: &str) -> Result<(), FrameError> {
        let mut outbox = Outbox::server(version);
        answer::error(0, ErrorCode::PROTOCOL_ERROR, message, &mut outbox);
        self.outbox = Some(outbox);
        self.flush();
        // The client has to connect again in a version that is known here.
        Err(FrameError::Truncated { field: "protocol version" })
    }

    /// Appends an answer whose time has come.
    pub(crate) fn answer_paced(&mut self, paced: Paced) {
        if let Some(outbox) = &mut self.outbox {
            result(paced.stream, paced.is_read, outbox);
        }
    }

    /// Sends what waits, as far as the socket takes it; `false` when the connection is over.
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
    common: &Common,
    outbox: &mut Outbox,
    paced: Option<&mut Vec<Paced>>,
) -> Result<(), FrameError> {
    let id = read::short_bytes(&mut body)?;
    let kind = id.first().copied().unwrap_or(u8::MAX);
    if kind <= Kind::Read as u8 {
        let is_read = kind == Kind::Read as u8;
        match paced {
            Some(paced) => paced.push(Paced { stream: header.stream, is_read }),
            None => result(header.stream, is_read, outbox),
        }
        return Ok(());
    }
    let catalogue = common.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
    match catalogue.prepared(answer::number(id)) {
        Some(statement) => answer::statement_result(&catalogue, statement, header.stream, common.address, outbox),
        None => answer::error(header.stream, ErrorCode::UNPREPARED, "statement is not prepared here", outbox),
    }
    Ok(())
}

fn rarely(header: Header, body: &[u8], common: &Common, outbox: &mut Outbox) -> Result<(), FrameError> {
    let mut catalogue = common.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = header.stream;
    match header.opcode {
        Opcode::OPTIONS => answer::supported(stream, outbox),
        Opcode::REGISTER => outbox.message(stream, Opcode::READY, |_| {}),
        Opcode::QUERY => answer::query(&mut catalogue, stream, body, common.address, outbox)?,
        Opcode::PREPARE => answer::prepare(&mut catalogue, stream, body, common.address, outbox)?,
        Opcode::BATCH => outbox.message(stream, Opcode::RESULT, |out| write::int(kind::VOID, out)),
        other => {
            let message = format!("message 0x{:02x} is not known here", other.0);
            answer::error(stream, ErrorCode::PROTOCOL_ERROR, &message, outbox);
        }
    }
    Ok(())
}
