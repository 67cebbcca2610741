//! TLS settings from PEM files.

use crate::args::ClusterArgs;
use crate::error::CliError;
use engine::Tls;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;

/// Makes the TLS settings; `None` without `--tls-ca`.
pub(crate) fn tls(args: &ClusterArgs) -> Result<Option<Tls>, CliError> {
    let Some(ca) = &args.tls_ca else { return Ok(None) };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(ca)? {
        roots.add(certificate).map_err(|e| unusable(ca, &e))?;
    }
    let roots = Arc::new(roots);
    let builder = ClientConfig::builder();
    let builder = if args.tls_any_name {
        let chain = WebPkiServerVerifier::builder(roots).build().map_err(|e| unusable(ca, &e))?;
        builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyName(chain)))
    } else {
        builder.with_root_certificates(roots)
    };
    let config = match (&args.tls_cert, &args.tls_key) {
        (Some(cert), Some(key)) => {
            let private = PrivateKeyDer::from_pem_file(key).map_err(|e| unusable(key, &e))?;
            builder.with_client_auth_cert(certificates(cert)?, private).map_err(|e| unusable(cert, &e))?
        }
        _ => builder.with_no_client_auth(),
    };
    Ok(Some(Tls { config: Arc::new(config) }))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, CliError> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).map_err(|e| unusable(path, &e))?.collect();
    let all = all.map_err(|e| unusable(path, &e))?;
    if all.is_empty() {
        return Err(CliError::Message(format!("{} holds no PEM certificate", path.display())));
    }
    Ok(all)
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> CliError {
    CliError::Message(format!("{} cannot be used for TLS: {error}", path.display()))
}

/// Trusts every certificate of the given authority for any address, because nodes of a Cassandra cluster often share
/// one certificate.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
