//! Bytes to and from a host, over a non-blocking plain or TLS socket.

use crate::config::Tls;
use rustix::net::{AddressFamily, SocketFlags, SocketType, ipproto, socket_with, sockopt};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

/// Result of a non-blocking read or write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    Bytes(usize),
    /// Nothing now; an event follows when the socket is ready.
    WouldBlock,
    Closed,
}

#[derive(Debug)]
pub(crate) struct Transport {
    socket: TcpStream,
    tls: Option<Box<rustls::ClientConnection>>,
}

impl Transport {
    /// Starts to connect; the socket becomes writable when it is connected.
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

    /// The error of a failed connect; `None` if it succeeded.
    pub(crate) fn connect_error(&self) -> Option<std::io::Error> {
        self.socket.take_error().ok().flatten()
    }

    #[inline]
    pub(crate) fn read(&mut self, room: &mut [u8]) -> std::io::Result<Transfer> {
        match &mut self.tls {
            None => transfer(self.socket.read(room)),
            Some(tls) => read_tls(tls, &mut self.socket, room),
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<Transfer> {
        match &mut self.tls {
            None => transfer(self.socket.write(bytes)),
            Some(tls) => write_tls(tls, &mut self.socket, bytes),
        }
    }

    /// Whether the TLS session holds bytes to send.
    pub(crate) fn wants_write(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.wants_write())
    }
}

impl AsFd for Transport {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn transfer(result: std::io::Result<usize>) -> std::io::Result<Transfer> {
    match result {
        Ok(0) => Ok(Transfer::Closed),
        Ok(n) => Ok(Transfer::Bytes(n)),
        Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(Transfer::WouldBlock),
        Err(e) if e.kind() == ErrorKind::Interrupted => Ok(Transfer::Bytes(0)),
        Err(e) => Err(e),
    }
}

fn read_tls(tls: &mut rustls::ClientConnection, socket: &mut TcpStream, room: &mut [u8]) -> std::io::Result<Transfer> {
    loop {
        match tls.reader().read(room) {
            Ok(n) if n > 0 => return Ok(Transfer::Bytes(n)),
            Ok(_) => return Ok(Transfer::Closed),
            Err(e) if e.kind() == ErrorKind::WouldBlock => {}
            Err(e) => return Err(e),
        }
        match transfer(tls.read_tls(socket))? {
            Transfer::Bytes(_) => {
                tls.process_new_packets().map_err(std::io::Error::other)?;
                // The TLS handshake may need an answer to what was read.
                if send_records(tls, socket)? == Transfer::Closed {
                    return Ok(Transfer::Closed);
                }
            }
            other => return Ok(other),
        }
    }
}

fn write_tls(tls: &mut rustls::ClientConnection, socket: &mut TcpStream, bytes: &[u8]) -> std::io::Result<Transfer> {
    let taken = if bytes.is_empty() { 0 } else { tls.writer().write(bytes)? };
    if send_records(tls, socket)? == Transfer::Closed {
        return Ok(Transfer::Closed);
    }
    Ok(if taken == 0 && !bytes.is_empty() { Transfer::WouldBlock } else { Transfer::Bytes(taken) })
}

/// Sends finished TLS records, as far as the socket takes them.
fn send_records(tls: &mut rustls::ClientConnection, socket: &mut TcpStream) -> std::io::Result<Transfer> {
    while tls.wants_write() {
        match transfer(tls.write_tls(socket))? {
            Transfer::Bytes(_) => {}
            other => return Ok(other),
        }
    }
    Ok(Transfer::Bytes(0))
}
