//! Requests in flight on one connection, by stream id.

/// The protocol's maximum number of requests in flight on one connection.
pub(crate) const MAX_STREAMS: usize = 32_768;

const NONE: u16 = u16::MAX;

/// A request in the engine. Everything else about it is a function of its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) index: u64,
    pub(crate) intended_ns: u64,
    /// Zero until it has been sent.
    pub(crate) sent_ns: u64,
    pub(crate) statement: u16,
    /// Number of times it was sent to another host.
    pub(crate) resent: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    /// Waiting for its response.
    Live,
    /// Timed out; the stream id stays taken until the late response arrives.
    Orphan,
    /// A PREPARE sent between requests.
    Prepare,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    op: Op,
    state: State,
    older: u16,
    newer: u16,
}

/// The request that a response belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    Request(Op),
    Late,
    Prepare { statement: u16 },
    Unknown,
}

/// Streams of one connection. Live requests are linked in order of sending, so that finding the oldest takes one step.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u16>,
    oldest: u16,
    newest: u16,
    live: usize,
    orphans: usize,
}

impl Slots {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), oldest: NONE, newest: NONE, live: 0, orphans: 0 }
    }

    #[inline]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    pub(crate) fn orphans(&self) -> usize {
        self.orphans
    }

    /// Whether every stream id is taken.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.free.is_empty() && self.slots.len() == MAX_STREAMS
    }

    fn take(&mut self, op: Op, state: State) -> u16 {
        let slot = Slot { op, state, older: NONE, newer: NONE };
        if let Some(stream) = self.free.pop() {
            self.slots[usize::from(stream)] = slot;
            return stream;
        }
        assert!(self.slots.len() < MAX_STREAMS, "a full connection was asked for a stream");
        self.slots.push(slot);
        (self.slots.len() - 1) as u16
    }

    /// Returns a stream for a request that is sent now.
    #[inline]
    pub(crate) fn send(&mut self, op: Op) -> i16 {
        let stream = self.take(op, State::Live);
        self.slots[usize::from(stream)].older = self.newest;
        match self.newest {
            NONE => self.oldest = stream,
            newest => self.slots[usize::from(newest)].newer = stream,
        }
        self.newest = stream;
        self.live += 1;
        stream.cast_signed()
    }

    /// Returns a stream for a PREPARE.
    pub(crate) fn prepare(&mut self, statement: u16) -> i16 {
        let op = Op { index: 0, intended_ns: 0, sent_ns: 0, statement, resent: 0 };
        self.take(op, State::Prepare).cast_signed()
    }

    #[inline]
    fn unlink(&mut self, stream: u16) {
        let Slot { older, newer, .. } = self.slots[usize::from(stream)];
        match older {
            NONE => self.oldest = newer,
            older => self.slots[usize::from(older)].newer = newer,
        }
        match newer {
            NONE => self.newest = older,
            newer => self.slots[usize::from(newer)].older = older,
        }
        self.live -= 1;
    }

    /// Removes the stream's request and frees the stream.
    #[inline]
    pub(crate) fn answered(&mut self, stream: i16) -> Answered {
        let stream = stream.cast_unsigned();
        let Some(slot) = self.slots.get(usize::from(stream)) else { return Answered::Unknown };
        let (state, op) = (slot.state, slot.op);
        match state {
            State::Free => return Answered::Unknown,
            State::Live => self.unlink(stream),
            State::Orphan => self.orphans -= 1,
            State::Prepare => {}
        }
        self.slots[usize::from(stream)].state = State::Free;
        self.free.push(stream);
        match state {
            State::Live => Answered::Request(op),
            State::Prepare => Answered::Prepare { statement: op.statement },
            State::Free | State::Orphan => Answered::Late,
        }
    }

    /// Returns the oldest request if it was sent before `before_ns`. Its stream stays taken.
    pub(crate) fn expire(&mut self, before_ns: u64) -> Option<Op> {
        let stream = self.oldest;
        let slot = self.slots.get(usize::from(stream))?;
        if slot.op.sent_ns >= before_ns {
            return None;
        }
        let op = slot.op;
        self.unlink(stream);
        self.slots[usize::from(stream)].state = State::Orphan;
        self.orphans += 1;
        Some(op)
    }

    /// Removes every request of a lost connection. Afterwards all streams are free.
    pub(crate) fn drain(&mut self) -> Vec<Op> {
        let mut ops = Vec::with_capacity(self.live);
        let mut stream = self.oldest;
        while let Some(slot) = self.slots.get(usize::from(stream)) {
            ops.push(slot.op);
            stream = slot.newer;
        }
        *self = Self::new();
        ops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(index: u64) -> Op {
        Op { index, intended_ns: index, sent_ns: 100 + index, statement: 0, resent: 0 }
    }

    #[test]
    fn requests_expire_in_order_of_sending_even_after_answers_in_between() {
        let mut slots = Slots::new();
        let streams: Vec<i16> = (0..5).map(|i| slots.send(op(i))).collect();
        assert_eq!(slots.answered(streams[1]), Answered::Request(op(1)));
        assert_eq!(slots.answered(streams[4]), Answered::Request(op(4)));
        assert_eq!(slots.expire(103), Some(op(0)));
        assert_eq!(slots.expire(103), Some(op(2)));
        assert_eq!(slots.expire(103), None, "request 3 was sent at 103, not before");
        assert_eq!((slots.live(), slots.orphans()), (1, 2));
    }

    #[test]
    fn a_late_answer_frees_its_stream_and_is_not_taken_for_another_request() {
        let mut slots = Slots::new();
        let stream = slots.send(op(0));
        slots.expire(u64::MAX);
        let next = slots.send(op(1));
        assert_ne!(stream, next, "the stream of a timed-out request is still taken");
        assert_eq!(slots.answered(stream), Answered::Late);
        assert_eq!(slots.answered(stream), Answered::Unknown);
        assert_eq!(slots.send(op(2)), stream);
    }

    #[test]
    fn a_lost_connection_gives_back_every_live_request_once() {
        let mut slots = Slots::new();
        for i in 0..4 {
            slots.send(op(i));
        }
        slots.expire(101);
        slots.prepare(0);
        assert_eq!(slots.drain(), vec![op(1), op(2), op(3)]);
        assert_eq!((slots.live(), slots.orphans()), (0, 0));
    }

    #[test]
    fn all_stream_ids_can_be_in_flight() {
        let mut slots = Slots::new();
        for i in 0..MAX_STREAMS as u64 {
            assert!(!slots.is_full());
            assert!(slots.send(op(i)) >= 0);
        }
        assert!(slots.is_full());
        assert_eq!(slots.answered(32_767), Answered::Request(op(32_767)));
        assert!(!slots.is_full());
    }
}
