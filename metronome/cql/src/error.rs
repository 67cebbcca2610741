//! Error codes of the server, and violations of the protocol.

/// An error code of the protocol (specification, section 8). Unlisted codes keep their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(pub i32);

macro_rules! error_codes {
    ($($constant:ident = $code:literal, $name:literal;)*) => {
        impl ErrorCode {
            $(pub const $constant: Self = Self($code);)*

            /// Every code that has a name here.
            pub const NAMED: &'static [ErrorCode] = &[$(Self($code)),*];

            /// Stable lower-case name, as used in result files.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $($code => $name,)*
                    _ => "unknown_error_code",
                }
            }
        }
    };
}

error_codes! {
    SERVER_ERROR = 0x0000, "server_error";
    PROTOCOL_ERROR = 0x000a, "protocol_error";
    BAD_CREDENTIALS = 0x0100, "bad_credentials";
    UNAVAILABLE = 0x1000, "unavailable";
    OVERLOADED = 0x1001, "overloaded";
    IS_BOOTSTRAPPING = 0x1002, "is_bootstrapping";
    TRUNCATE_ERROR = 0x1003, "truncate_error";
    WRITE_TIMEOUT = 0x1100, "write_timeout";
    READ_TIMEOUT = 0x1200, "read_timeout";
    READ_FAILURE = 0x1300, "read_failure";
    FUNCTION_FAILURE = 0x1400, "function_failure";
    WRITE_FAILURE = 0x1500, "write_failure";
    CDC_WRITE_FAILURE = 0x1600, "cdc_write_failure";
    CAS_WRITE_UNKNOWN = 0x1700, "cas_write_unknown";
    SYNTAX_ERROR = 0x2000, "syntax_error";
    UNAUTHORIZED = 0x2100, "unauthorized";
    INVALID = 0x2200, "invalid";
    CONFIG_ERROR = 0x2300, "config_error";
    ALREADY_EXISTS = 0x2400, "already_exists";
    UNPREPARED = 0x2500, "unprepared";
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (0x{:04x})", self.name(), self.0)
    }
}

/// Bytes that violate the protocol. Their connection can no longer be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FrameError {
    #[error("a message of {bytes} bytes is longer than the protocol allows")]
    TooLong { bytes: usize },
    #[error("a segment's {part} fails its checksum: the bytes were damaged on the way")]
    Checksum { part: &'static str },
    #[error("a compressed {part} does not decompress")]
    Compression { part: &'static str },
    #[error("a message ends in the middle of a {field}")]
    Truncated { field: &'static str },
}
