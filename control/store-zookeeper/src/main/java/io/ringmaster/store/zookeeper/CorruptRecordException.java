package io.ringmaster.store.zookeeper;

/** A znode does not hold what it should; nothing was changed. Someone has to look. */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String path, String what, Throwable cause) {
        super(
                "znode " + path + " " + what + "; look at it with zkCli.sh (get -s " + path
                        + "), restore it or delete it",
                cause);
    }
}
