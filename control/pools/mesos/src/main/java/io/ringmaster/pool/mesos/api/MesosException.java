package io.ringmaster.pool.mesos.api;

import java.io.IOException;

/** No master carries out calls now, or it refused one. The message is shown to people. */
public final class MesosException extends IOException {
    private static final long serialVersionUID = 1;

    public MesosException(String message) {
        super(message);
    }

    public MesosException(String message, Throwable cause) {
        super(message, cause);
    }
}
