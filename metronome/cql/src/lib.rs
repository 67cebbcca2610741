//! The CQL native protocol, versions 4 and 5, without I/O: frames, segments, messages, error codes.
