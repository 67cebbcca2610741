//! When each request is meant to start: pure functions from an index to a time.
