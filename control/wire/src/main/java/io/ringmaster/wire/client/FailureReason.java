package io.ringmaster.wire.client;

import io.ringmaster.model.error.ThrowableText;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Words the failure of an HTTP exchange, because the JDK's exceptions often have no message. */
public final class FailureReason {
    private FailureReason() {}

    public static String of(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return "no answer in time";
        }
        if (cause instanceof ConnectException) {
            return "connection refused";
        }
        String text = ThrowableText.of(cause);
        // what the JDK says of the alert with which a TLS listener answers clear text
        return text.contains("parsing HTTP/1.1 status line")
                ? "what answers there does not talk HTTP in clear text; use https if the server has TLS"
                : text;
    }
}
