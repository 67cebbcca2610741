//! What the throttle does to the answers of a server, on one connection.

use null_server::{NullServer, NullServerConfig, Throttle};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const REQUESTS: usize = 10;
const DELAY: Duration = Duration::from_millis(300);
/// Length of a RESULT without rows: header and kind.
const ANSWER_BYTES: usize = 9 + 4;

/// An EXECUTE of protocol version 4 with the id of a write.
fn execute(stream: u8) -> Vec<u8> {
    let mut message = vec![4, 0, 0, stream, 0x0a, 0, 0, 0, 18, 0, 16];
    message.extend([0; 16]);
    message
}

/// Sends all requests at once; returns the time until each answer.
fn times(throttle: Throttle) -> Vec<Duration> {
    let server = NullServer::start(&NullServerConfig { throttle, ..NullServerConfig::loopback() }).expect("server");
    let mut socket = TcpStream::connect(server.address()).expect("connection");
    socket.set_read_timeout(Some(Duration::from_secs(30))).expect("timeout");
    let requests: Vec<u8> = (0..REQUESTS as u8).flat_map(execute).collect();
    let sent = Instant::now();
    socket.write_all(&requests).expect("requests");
    let mut answer = [0; ANSWER_BYTES];
    let times = (0..REQUESTS).map(|_| {
        socket.read_exact(&mut answer).expect("answer");
        sent.elapsed()
    });
    times.collect()
}

#[test]
fn each_answer_is_delayed_since_its_own_request() {
    let times = times(Throttle { delay: DELAY, ..Throttle::default() });
    assert!(times[0] >= DELAY, "{times:?}");
    assert!(times[REQUESTS - 1] < 3 * DELAY, "the delays add up: {times:?}");
}

#[test]
fn a_limited_rate_delays_the_answers_too_and_puts_a_gap_between_them() {
    let times = times(Throttle { delay: DELAY, max_rate: 50.0, ..Throttle::default() });
    let gaps = Duration::from_millis(20) * (REQUESTS as u32 - 1);
    assert!(times[0] >= DELAY, "{times:?}");
    assert!(times[REQUESTS - 1] >= DELAY + gaps, "{times:?}");
    assert!(times[REQUESTS - 1] < 3 * DELAY + gaps, "the delays add up: {times:?}");
}
