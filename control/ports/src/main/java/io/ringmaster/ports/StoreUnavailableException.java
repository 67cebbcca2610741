package io.ringmaster.ports;

/** The store did not answer; the outcome of the last commit is unknown. */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String doing, Throwable cause) {
        super(doing, cause);
    }
}
