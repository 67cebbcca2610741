package io.ringmaster.ports;

/** Another server was elected since. The caller must stop acting as leader. */
public final class StaleEpochException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleEpochException(long epoch, long newest) {
        super("epoch " + epoch + " is over; the leader has epoch " + newest);
    }
}
