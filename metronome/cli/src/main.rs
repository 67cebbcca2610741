//! `metronome`: an open-loop CQL load generator.

fn main() {}
