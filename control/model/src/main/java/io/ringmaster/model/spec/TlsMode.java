package io.ringmaster.model.spec;

/** Whether connections are encrypted. The order counts: from the weakest to the strictest. */
public enum TlsMode {
    /** In clear text, without certificates. */
    OFF,
    /** By TLS only; peers without a certificate are refused. */
    REQUIRED
}
