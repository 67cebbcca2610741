package io.ringmaster.pool.local.binaries;

/** A part of a node is missing and cannot be fetched. The message names the part and the next step. */
public final class BinariesUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public BinariesUnavailableException(String message) {
        super(message);
    }

    public BinariesUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
