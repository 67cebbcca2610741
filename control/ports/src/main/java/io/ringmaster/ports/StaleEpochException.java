package io.ringmaster.ports;

/** Another server has taken the lead since; whoever gets this must stop acting. */
public final class StaleEpochException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleEpochException(long epoch, long newest) {
        super("epoch " + epoch + " is over, " + newest + " leads");
    }
}
