package io.ringmaster.ports;

/** A Secret gives no password. The message names it, says why, and what to do, without its content. */
public final class UnreadableSecretException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnreadableSecretException(String message) {
        super(message);
    }
}
