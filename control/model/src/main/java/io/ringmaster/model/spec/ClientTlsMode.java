package io.ringmaster.model.spec;

/**
 * Whether connections of CQL clients are encrypted. Clients show no certificate. The order counts: from the weakest to
 * the strictest.
 */
public enum ClientTlsMode {
    /** In clear text. */
    OFF,
    /** By TLS or in clear text, on the same port. */
    OPTIONAL,
    /** By TLS only. */
    REQUIRED
}
