//! Discovery of the cluster: contact points, datacenters, replicas, schema. Uses the `scylla` driver, never on the hot
//! path.

use engine::{Credentials, Host, ReplicaRing, Tls, Topology};
use scylla::client::PoolSize;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::cluster::ClusterState;
use scylla::routing::Token;
use std::collections::HashMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

const CQL_PORT: u16 = 9042;

/// Contact points and connection settings of a cluster.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// `host` or `host:port`.
    pub contact_points: Vec<String>,
    /// Requests go only to this datacenter; `None` takes the datacenter of the first contact point.
    pub local_datacenter: Option<String>,
    pub credentials: Option<Credentials>,
    pub tls: Option<Tls>,
    pub connect_timeout: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error("contact point `{host}` is not an address: {source}; write host or host:port")]
    Address { host: String, source: std::io::Error },
    #[error("no contact point given: name at least one host with --hosts")]
    NoContactPoint,
    #[error("cannot connect to {hosts}: {reason}; check that Cassandra runs there, and port, TLS and password.{hint}")]
    Connect { hosts: String, reason: String, hint: &'static str },
    #[error("no node in datacenter `{wanted}`; the cluster has {known}")]
    UnknownDatacenter { wanted: String, known: String },
    #[error("keyspace `{keyspace}` does not exist: create it, or leave --no-schema out so that the run creates it")]
    NoKeyspace { keyspace: String },
    #[error("the server refused `{cql}`: {reason}")]
    Statement { cql: String, reason: String },
    #[error("the nodes did not agree on the schema: {0}")]
    SchemaAgreement(String),
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

// Under TLS 1.3 a client learns only after its handshake that its certificate is missing, often by a closed connection.
fn certificate_hint(options: &ClusterOptions) -> &'static str {
    match &options.tls {
        Some(tls) if !tls.config.client_auth_cert_resolver.has_certs() => {
            " If the server asks clients for a certificate, give --tls-cert and --tls-key."
        }
        _ => "",
    }
}

/// A connected cluster. Until it is dropped, its background thread keeps the view of the ring up to date.
pub struct Cluster {
    runtime: tokio::runtime::Runtime,
    session: Session,
    local_datacenter: Option<String>,
}

impl Cluster {
    /// Connects to the first contact point that answers.
    ///
    /// # Errors
    /// When no contact point can be used, or the datacenter does not exist.
    pub fn connect(options: &ClusterOptions) -> Result<Self, ClusterError> {
        let contact_points = resolve(&options.contact_points)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("metronome-discovery")
            .enable_all()
            .build()?;
        let mut builder = SessionBuilder::new()
            .known_nodes_addr(&contact_points)
            .connection_timeout(options.connect_timeout)
            .pool_size(PoolSize::PerHost(NonZeroUsize::MIN))
            .disallow_shard_aware_port(true)
            .schema_agreement_timeout(Duration::from_secs(30));
        if let Some(Credentials { user, password }) = &options.credentials {
            builder = builder.user(user, password);
        }
        if let Some(tls) = &options.tls {
            builder = builder.tls_context(Some(Arc::clone(&tls.config)));
        }
        let session = runtime.block_on(builder.build()).map_err(|e| ClusterError::Connect {
            hosts: options.contact_points.join(", "),
            reason: with_causes(&e),
            hint: certificate_hint(options),
        })?;
        let state = session.get_cluster_state();
        let local_datacenter = local_datacenter(&state, options, &contact_points)?;
        Ok(Self { runtime, session, local_datacenter })
    }

    /// The datacenter that receives requests.
    pub fn local_datacenter(&self) -> Option<&str> {
        self.local_datacenter.as_deref()
    }

    /// Executes schema statements one after another, and after each waits until all nodes agree.
    ///
    /// # Errors
    /// When the server refuses a statement, which the error quotes, or the nodes do not agree.
    pub fn apply_schema(&self, statements: &[String]) -> Result<(), ClusterError> {
        self.runtime.block_on(async {
            for cql in statements {
                let refused = |reason| ClusterError::Statement { cql: cql.clone(), reason };
                self.session.query_unpaged(cql.as_str(), &[]).await.map_err(|e| refused(with_causes(&e)))?;
                self.session
                    .await_schema_agreement()
                    .await
                    .map_err(|e| ClusterError::SchemaAgreement(with_causes(&e)))?;
            }
            self.session.refresh_metadata().await.map_err(|e| ClusterError::SchemaAgreement(with_causes(&e)))
        })
    }

    /// Returns the hosts of the local datacenter and the local replicas of `keyspace`. Hosts keep their position in
    /// `known`; those that have left stay, marked absent.
    ///
    /// # Errors
    /// When the keyspace does not exist.
    pub fn topology(&self, keyspace: &str, known: &[Host]) -> Result<Topology, ClusterError> {
        let state = self.session.get_cluster_state();
        let strategy = match state.get_keyspace(keyspace) {
            Some(keyspace) => &keyspace.strategy,
            None => return Err(ClusterError::NoKeyspace { keyspace: keyspace.to_owned() }),
        };
        let mut hosts = known.to_vec();
        let mut present = vec![false; hosts.len()];
        let mut position: HashMap<SocketAddr, u16> = (0..).zip(&hosts).map(|(i, h)| (h.address, i)).collect();
        let is_local = |dc: &Option<String>| self.local_datacenter.is_none() || *dc == self.local_datacenter;
        for node in state.get_nodes_info().iter().filter(|n| is_local(&n.datacenter)) {
            let address = SocketAddr::new(node.address.ip(), node.address.port());
            let at = *position.entry(address).or_insert_with(|| {
                hosts.push(Host { address, datacenter: node.datacenter.clone() });
                present.push(false);
                (hosts.len() - 1) as u16
            });
            present[usize::from(at)] = true;
        }
        let locator = state.replica_locator();
        let table = scylla::frame::response::result::TableSpec::owned(keyspace.to_owned(), String::new());
        let ranges = locator.ring().iter().map(|(token, _): &(Token, _)| {
            let replicas = locator.replicas_for_token(*token, strategy, self.local_datacenter(), &table);
            let replicas = replicas
                .into_iter()
                .filter_map(|(node, _)| position.get(&SocketAddr::new(node.address.ip(), node.address.port())).copied())
                .collect();
            (token.value(), replicas)
        });
        Ok(Topology { ring: ReplicaRing::new(ranges.collect()), hosts, present })
    }

    /// The driver's session and its runtime, for reading rows back.
    pub fn session(&self) -> (&Session, &tokio::runtime::Runtime) {
        (&self.session, &self.runtime)
    }
}

fn resolve(contact_points: &[String]) -> Result<Vec<SocketAddr>, ClusterError> {
    let mut addresses = Vec::new();
    for host in contact_points {
        let named = |source| ClusterError::Address { host: host.clone(), source };
        let is_whole = host.parse::<SocketAddr>().is_ok() || (host.matches(':').count() == 1);
        let found = if is_whole { host.to_socket_addrs() } else { (host.as_str(), CQL_PORT).to_socket_addrs() };
        addresses.extend(found.map_err(named)?);
    }
    if addresses.is_empty() { Err(ClusterError::NoContactPoint) } else { Ok(addresses) }
}

fn local_datacenter(
    state: &ClusterState,
    options: &ClusterOptions,
    contact_points: &[SocketAddr],
) -> Result<Option<String>, ClusterError> {
    let nodes = state.get_nodes_info();
    let Some(wanted) = &options.local_datacenter else {
        let first = contact_points.iter().find_map(|a| nodes.iter().find(|n| n.address.ip() == a.ip()));
        return Ok(first.or(nodes.first()).and_then(|n| n.datacenter.clone()));
    };
    if nodes.iter().any(|n| n.datacenter.as_ref() == Some(wanted)) {
        return Ok(Some(wanted.clone()));
    }
    let mut known: Vec<&str> = nodes.iter().filter_map(|n| n.datacenter.as_deref()).collect();
    known.sort_unstable();
    known.dedup();
    Err(ClusterError::UnknownDatacenter { wanted: wanted.clone(), known: known.join(", ") })
}

/// Formats an error with its causes, since the driver's outermost message alone says little.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
