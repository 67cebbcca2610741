package io.ringmaster.identity;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A PEM file cannot be used. The message names the file and the reason. */
public final class PemException extends IOException {
    private static final long serialVersionUID = 1L;

    PemException(String file, String reason, @Nullable Throwable cause) {
        super(file + ": " + reason, cause);
    }

    PemException(String file, String reason) {
        this(file, reason, null);
    }
}
