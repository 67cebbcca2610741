//! An inbox returns the messages of an outbox unchanged, however the bytes are cut on the way.

use cql::{FrameError, Inbox, Opcode, Outbox, Version};

const MODES: [(Version, bool); 4] =
    [(Version::V4, false), (Version::V4, true), (Version::V5, false), (Version::V5, true)];

fn pair(version: Version, lz4: bool) -> (Outbox, Inbox) {
    let (mut outbox, mut inbox) = (Outbox::client(version), Inbox::new());
    outbox.handshake_done(lz4);
    inbox.handshake_done(version >= Version::V5, lz4);
    (outbox, inbox)
}

fn feed(inbox: &mut Inbox, bytes: &[u8]) {
    let room = inbox.room();
    room[..bytes.len()].copy_from_slice(bytes);
    inbox.filled(bytes.len());
}

fn body(i: usize, length: usize) -> Vec<u8> {
    (0..length).map(|j| if j % 3 == 0 { b'x' } else { (i * 31 + j) as u8 }).collect()
}

#[test]
fn every_message_arrives_once_and_unchanged_in_every_mode() {
    let lengths = [0, 4, 220, 70_000, 17, 131_071, 131_062, 400_000, 1, 65_536];
    for (version, lz4) in MODES {
        for cut in [1_000, 7_919, 60_000] {
            let (mut outbox, mut inbox) = pair(version, lz4);
            for (i, length) in lengths.iter().enumerate() {
                outbox.message(i as i16, Opcode::QUERY, |out| out.extend_from_slice(&body(i, *length)));
            }
            let wire = outbox.ready().to_vec();
            outbox.took(wire.len());
            assert_eq!(outbox.waiting_bytes(), 0);
            let mut seen = 0;
            for part in wire.chunks(cut) {
                feed(&mut inbox, part);
                while let Some((header, got)) = inbox.next_message().expect("valid bytes") {
                    assert_eq!(header.stream as usize, seen, "{version:?} lz4={lz4}");
                    assert_eq!(got, body(seen, lengths[seen]), "{version:?} lz4={lz4} message {seen}");
                    seen += 1;
                }
            }
            assert_eq!(seen, lengths.len(), "{version:?} lz4={lz4} cut={cut}");
        }
    }
}

#[test]
fn bytes_taken_in_small_parts_are_the_same_bytes() {
    for (version, lz4) in MODES {
        let (mut outbox, mut inbox) = pair(version, lz4);
        let (mut sent, mut seen) = (0, 0);
        for round in 0..2_000 {
            outbox.message(sent as i16, Opcode::EXECUTE, |out| out.extend_from_slice(&body(sent, 300)));
            sent += 1;
            let part: Vec<u8> = outbox.ready().iter().take(if round % 3 == 0 { 1_000 } else { 100 }).copied().collect();
            outbox.took(part.len());
            feed(&mut inbox, &part);
            while let Some((_, got)) = inbox.next_message().expect("valid bytes") {
                assert_eq!(got, body(seen, 300));
                seen += 1;
            }
        }
        while outbox.waiting_bytes() > 0 {
            let part: Vec<u8> = outbox.ready().iter().take(50_000).copied().collect();
            outbox.took(part.len());
            feed(&mut inbox, &part);
            while let Some((_, got)) = inbox.next_message().expect("valid bytes") {
                assert_eq!(got, body(seen, 300));
                seen += 1;
            }
        }
        assert_eq!(seen, sent);
    }
}

#[test]
fn compression_makes_a_repetitive_message_shorter() {
    for version in [Version::V4, Version::V5] {
        let length = |lz4| {
            let (mut outbox, _) = pair(version, lz4);
            outbox.message(0, Opcode::QUERY, |out| out.resize(out.len() + 10_000, b'a'));
            outbox.ready().len()
        };
        assert!(length(true) * 10 < length(false));
    }
}

#[test]
fn a_damaged_segment_is_noticed() {
    let (mut outbox, mut inbox) = pair(Version::V5, false);
    outbox.message(0, Opcode::QUERY, |out| out.resize(out.len() + 100, b'a'));
    let mut wire = outbox.ready().to_vec();
    wire[40] ^= 0x10;
    feed(&mut inbox, &wire);
    assert_eq!(inbox.next_message().map(|_| ()), Err(FrameError::Checksum { part: "payload" }));
}

#[test]
fn a_length_beyond_the_protocol_is_refused_before_memory_is_taken() {
    let mut inbox = Inbox::new();
    feed(&mut inbox, &[0x84, 0, 0, 0, 8, 0x7f, 0xff, 0xff, 0xff]);
    assert_eq!(inbox.next_message().map(|_| ()), Err(FrameError::TooLong { bytes: 0x7fff_ffff }));
}
