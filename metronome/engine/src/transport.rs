//! Bytes to and from a host: a plain or a TLS socket that never blocks.

use crate::config::Tls;
use rustix::net::{AddressFamily, SocketFlags, SocketType, ipproto, socket_with, sockopt};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

/// What a read or write of a socket that never blocks came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    Bytes(usize),
    /// Nothing now; an event will tell.
    Later,
    Closed,
}

#[derive(Debug)]
pub(crate) struct Transport {
    socket: TcpStream,
    tls: Option<Box<rustls::ClientConnection>>,
}

impl Transport {
    /// Begins to connect; the socket becomes writable when it is connected.
    pub(crate) fn connect(address: SocketAddr, tls: Option<&Tls>) -> std::io::Result<Self> {
        let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = socket_with(family, SocketType::STREAM, flags, Some(ipproto::TCP))?;
        sockopt::set_tcp_nodelay(&socket, true)?;
        match rustix::net::connect(&socket, &address) {
            Ok(()) | Err(rustix::io::Errno::INPROGRESS) => {}
            Err(e) => return Err(e.into()),
        }
        let tls = match tls {
            None => None,
            Some(tls) => {
                let name = rustls::pki_types::ServerName::from(address.ip());
                let connection = rustls::ClientConnection::new(Arc::clone(&tls.config), name);
                Some(Box::new(connection.map_err(std::io::Error::other)?))
            }
        };
        Ok(Self { socket: TcpStream::from(socket), tls })
    }

    /// The error of a connect that failed, if it did.
    pub(crate) fn connect_error(&self) -> Option<std::io::Error> {
        self.socket.take_error().ok().flatten()
    }

    #[inline]
    pub(crate) fn read(&mut self, room: &mut [u8]) -> std::io::Result<Moved> {
        match &mut self.tls {
            None => moved(self.socket.read(room)),
            Some(tls) => read_tls(tls, &mut self.socket, room),
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<Moved> {
        match &mut self.tls {
            None => moved(self.socket.write(bytes)),
            Some(tls) => write_tls(tls, &mut self.socket, bytes),
        }
    }

    /// Whether a TLS session holds bytes that still have to go out.
    pub(crate) fn wants_write(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.wants_write())
    }
}

impl AsFd for Transport {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn moved(result: std::io::Result<usize>) -> std::io::Result<Moved> {
    match result {
        Ok(0) => Ok(Moved::Closed),
        Ok(n) => Ok(Moved::Bytes(n)),
        Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(Moved::Later),
        Err(e) if e.kind() == ErrorKind::Interrupted => Ok(Moved::Bytes(0)),
        Err(e) => Err(e),
    }
}

fn read_tls(tls: &mut rustls::ClientConnection, socket: &mut TcpStream, room: &mut [u8]) -> std::io::Result<Moved> {
    loop {
        match tls.reader().read(room) {
            Ok(n) if n > 0 => return Ok(Moved::Bytes(n)),
            Ok(_) => return Ok(Moved::Closed),
            Err(e) if e.kind() == ErrorKind::WouldBlock => {}
            Err(e) => return Err(e),
        }
        match moved(tls.read_tls(socket))? {
            Moved::Bytes(_) => {
                tls.process_new_packets().map_err(std::io::Error::other)?;
                // What the peer said may have to be answered at once: the handshake goes on from here.
                if send_records(tls, socket)? == Moved::Closed {
                    return Ok(Moved::Closed);
                }
            }
            other => return Ok(other),
        }
    }
}

fn write_tls(tls: &mut rustls::ClientConnection, socket: &mut TcpStream, bytes: &[u8]) -> std::io::Result<Moved> {
    let taken = if bytes.is_empty() { 0 } else { tls.writer().write(bytes)? };
    if send_records(tls, socket)? == Moved::Closed {
        return Ok(Moved::Closed);
    }
    Ok(if taken == 0 && !bytes.is_empty() { Moved::Later } else { Moved::Bytes(taken) })
}

/// Sends finished TLS records, as far as the socket takes them.
fn send_records(tls: &mut rustls::ClientConnection, socket: &mut TcpStream) -> std::io::Result<Moved> {
    while tls.wants_write() {
        match moved(tls.write_tls(socket))? {
            Moved::Bytes(_) => {}
            other => return Ok(other),
        }
    }
    Ok(Moved::Bytes(0))
}
