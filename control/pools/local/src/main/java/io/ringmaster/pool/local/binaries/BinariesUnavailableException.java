package io.ringmaster.pool.local.binaries;

/** Something that a node is made of is not here and cannot be brought; the message says what and what to do. */
public final class BinariesUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public BinariesUnavailableException(String message) {
        super(message);
    }

    public BinariesUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
