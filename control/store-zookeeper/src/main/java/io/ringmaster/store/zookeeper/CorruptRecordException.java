package io.ringmaster.store.zookeeper;

/** A znode does not hold a valid record. Nothing was changed; an administrator must repair the znode. */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String path, String what, Throwable cause) {
        super(
                "znode " + path + " " + what + "; inspect it with zkCli.sh (get -s " + path
                        + "), then restore or delete it",
                cause);
    }
}
