use rustix::event::{Timespec, epoll};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

const MAX_EVENTS: usize = 64;

/// A socket that has become readable or writable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// The id given to [`Wait::watch`].
    pub id: usize,
    pub readable: bool,
    pub writable: bool,
}

/// An epoll set. It watches each socket edge-triggered in both directions, so that one registration is enough. Callers
/// read and write until the socket would block before they wait again.
#[derive(Debug)]
pub struct Wait {
    epoll: OwnedFd,
}

impl Wait {
    /// # Errors
    /// When the process has no file descriptor left.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self { epoll: epoll::create(epoll::CreateFlags::CLOEXEC)? })
    }

    /// Watches a socket until it is closed.
    ///
    /// # Errors
    /// When the system refuses to watch it.
    pub fn watch(&self, socket: impl AsFd, id: usize) -> std::io::Result<()> {
        let flags = epoll::EventFlags::IN | epoll::EventFlags::OUT | epoll::EventFlags::RDHUP | epoll::EventFlags::ET;
        Ok(epoll::add(&self.epoll, socket, epoll::EventData::new_u64(id as u64), flags)?)
    }

    /// Waits until a socket is ready or `timeout_ns` has passed, and appends what is ready to `out`.
    #[inline]
    pub fn wait(&self, timeout_ns: u64, out: &mut Vec<Ready>) {
        let timeout =
            Timespec { tv_sec: (timeout_ns / 1_000_000_000) as i64, tv_nsec: (timeout_ns % 1_000_000_000) as i64 };
        let mut room = [MaybeUninit::uninit(); MAX_EVENTS];
        // An interrupted wait finds nothing.
        let Ok((events, _)) = epoll::wait(&self.epoll, &mut room, Some(&timeout)) else { return };
        for event in events {
            let (flags, data) = (event.flags, event.data);
            let writable = flags.contains(epoll::EventFlags::OUT);
            let readable = flags.intersects(!epoll::EventFlags::OUT);
            out.push(Ready { id: data.u64() as usize, readable, writable });
        }
    }
}
