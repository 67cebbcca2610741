//! Clocks, waiting for sockets, binding threads to CPUs.

mod clock;
mod cpu;
mod wait;

pub use clock::{CpuTime, cpu_ns, now_ns, wall_ns};
pub use cpu::settle_on;
pub use wait::{Ready, Wait};
