package io.ringmaster.model.spec;

/** Whether connections are encrypted; the stricter mode comes later. */
public enum TlsMode {
    /** In clear text, without certificates. */
    OFF,
    /** By TLS only; peers without a certificate are refused. */
    REQUIRED
}
