package io.ringmaster.model.spec;

/** Whether connections of CQL clients are encrypted; the stricter mode comes later. Clients show no certificate. */
public enum ClientTlsMode {
    /** In clear text. */
    OFF,
    /** By TLS or in clear text, on the same port. */
    OPTIONAL,
    /** By TLS only. */
    REQUIRED
}
