//! The handshake of a connection: startup, authentication, preparing every statement.

use crate::config::Protocol;
use crate::requests::StatementSpec;
use cql::request::{ExecuteParameters, ExecuteTemplate, plain_credentials, prepare, startup};
use cql::{ErrorCode, FrameError, Header, Opcode, Outbox, Version, read, response};

const HANDSHAKE_STREAM: i16 = 0;

/// Why a connection is not ready.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectionError {
    #[error("the server does not speak protocol version {0}")]
    Version(u8),
    #[error("the server asks for a user and password: give --user, and --password-file or METRONOME_PASSWORD")]
    CredentialsNeeded,
    #[error("the server refused: {code}: {message}")]
    Server { code: ErrorCode, message: String },
    #[error("the server refused the statement `{cql}`: {code}: {message}")]
    Statement { cql: String, code: ErrorCode, message: String },
    #[error("the statement `{cql}` takes {wanted} values, but the workload binds {bound}")]
    Values { cql: String, wanted: i32, bound: u16 },
    #[error("{0}")]
    /// The connection broke, or the peer did not speak the protocol.
    Lost(String),
}

impl ConnectionError {
    pub(crate) fn closed() -> Self {
        Self::Lost("the server closed the connection".to_owned())
    }

    /// Whether neither another attempt nor another host can help.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            ConnectionError::CredentialsNeeded | ConnectionError::Values { .. } => true,
            ConnectionError::Server { code, .. } => *code == ErrorCode::BAD_CREDENTIALS,
            ConnectionError::Statement { code, .. } => {
                [ErrorCode::SYNTAX_ERROR, ErrorCode::INVALID, ErrorCode::UNAUTHORIZED].contains(code)
            }
            ConnectionError::Version(_) | ConnectionError::Lost(_) => false,
        }
    }
}

impl From<FrameError> for ConnectionError {
    fn from(error: FrameError) -> Self {
        ConnectionError::Lost(error.to_string())
    }
}

/// Progress of the handshake after a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// From here on the inbox receives segments or compressed bodies.
    Framing,
    Waiting,
    Ready,
}

/// A handshake in progress. It writes into an [`Outbox`]; the caller moves the bytes.
#[derive(Debug)]
pub(crate) struct Handshake {
    started: bool,
    prepared: usize,
    templates: Vec<Option<ExecuteTemplate>>,
}

impl Handshake {
    pub(crate) fn start(protocol: &Protocol, statements: usize, outbox: &mut Outbox) -> Self {
        outbox.message(HANDSHAKE_STREAM, Opcode::STARTUP, |out| startup(protocol.lz4, out));
        Self { started: false, prepared: 0, templates: vec![None; statements] }
    }

    pub(crate) fn on_message(
        &mut self,
        (header, body): (Header, &[u8]),
        protocol: &Protocol,
        statements: &[StatementSpec],
        outbox: &mut Outbox,
    ) -> Result<Step, ConnectionError> {
        let body = response::payload(&header, body)?;
        match header.opcode {
            Opcode::ERROR => Err(self.server_error(header, body, statements, outbox.version())?),
            Opcode::READY | Opcode::AUTHENTICATE if !self.started => {
                self.started = true;
                outbox.handshake_done(protocol.lz4);
                if header.opcode == Opcode::AUTHENTICATE {
                    let credentials = protocol.credentials.as_ref().ok_or(ConnectionError::CredentialsNeeded)?;
                    outbox.message(HANDSHAKE_STREAM, Opcode::AUTH_RESPONSE, |out| {
                        plain_credentials(&credentials.user, &credentials.password, out);
                    });
                } else {
                    prepare_all(statements, outbox);
                }
                Ok(Step::Framing)
            }
            Opcode::AUTH_SUCCESS => {
                prepare_all(statements, outbox);
                Ok(if statements.is_empty() { Step::Ready } else { Step::Waiting })
            }
            Opcode::RESULT => self.on_prepared(header, body, statements, outbox.version()),
            other => Err(ConnectionError::Lost(format!("unexpected message 0x{:02x} while connecting", other.0))),
        }
    }

    fn server_error(
        &self,
        header: Header,
        body: &[u8],
        statements: &[StatementSpec],
        version: Version,
    ) -> Result<ConnectionError, FrameError> {
        let (code, message) = response::error(body)?;
        if !self.started {
            // A server that does not know the version answers in a version that it knows.
            let other_version = Version::from_byte(header.version_byte) != Some(version);
            let refused = code == ErrorCode::PROTOCOL_ERROR && (other_version || message.contains("version"));
            return Ok(if refused {
                ConnectionError::Version(version as u8)
            } else {
                ConnectionError::Server { code, message }
            });
        }
        Ok(match statements.get(header.stream as usize) {
            Some(statement) if code != ErrorCode::BAD_CREDENTIALS => {
                ConnectionError::Statement { cql: statement.cql.clone(), code, message }
            }
            _ => ConnectionError::Server { code, message },
        })
    }

    fn on_prepared(
        &mut self,
        header: Header,
        body: &[u8],
        statements: &[StatementSpec],
        version: Version,
    ) -> Result<Step, ConnectionError> {
        let at = header.stream as usize;
        let Some(statement) = statements.get(at) else { return Ok(Step::Waiting) };
        self.templates[at] = Some(template(version, statement, body)?);
        self.prepared += 1;
        Ok(if self.prepared == statements.len() { Step::Ready } else { Step::Waiting })
    }

    /// The prepared statements; complete once the handshake is [`Step::Ready`].
    pub(crate) fn into_templates(self) -> Vec<ExecuteTemplate> {
        self.templates.into_iter().flatten().collect()
    }
}

fn prepare_all(statements: &[StatementSpec], outbox: &mut Outbox) {
    for (stream, statement) in (0..).zip(statements) {
        prepare_one(stream, statement, outbox);
    }
}

pub(crate) fn prepare_one(stream: i16, statement: &StatementSpec, outbox: &mut Outbox) {
    let version = outbox.version();
    outbox.message(stream, Opcode::PREPARE, |out| prepare(version, &statement.cql, out));
}

/// Makes the EXECUTE template of a statement from the RESULT of its PREPARE.
pub(crate) fn template(
    version: Version,
    statement: &StatementSpec,
    body: &[u8],
) -> Result<ExecuteTemplate, ConnectionError> {
    let mut kind = body;
    if read::int(&mut kind)? != response::kind::PREPARED {
        return Err(ConnectionError::Lost("the server answered a PREPARE with another kind of result".to_owned()));
    }
    let prepared = response::prepared(version >= Version::V5, body)?;
    if prepared.bind_columns != i32::from(statement.values) {
        let (cql, wanted, bound) = (statement.cql.clone(), prepared.bind_columns, statement.values);
        return Err(ConnectionError::Values { cql, wanted, bound });
    }
    let parameters = ExecuteParameters {
        id: &prepared.id,
        result_metadata_id: &prepared.result_metadata_id,
        consistency: statement.consistency,
        serial_consistency: statement.serial_consistency,
        page_size: statement.page_size,
        timestamps: statement.timestamps,
    };
    Ok(ExecuteTemplate::new(version, &parameters))
}
