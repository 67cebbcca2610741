package io.ringmaster.backup.store;

import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.model.error.ThrowableText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** What the failures of the SDK mean for a client of a store. */
final class S3Failures {
    /** Codes whose status alone would mislead. An unknown access key, for one, is a 404 of versitygw. */
    private static final Map<String, Reason> BY_CODE = Map.ofEntries(
            Map.entry("NoSuchKey", Reason.MISSING),
            Map.entry("NoSuchBucket", Reason.NO_BUCKET),
            Map.entry("InvalidAccessKeyId", Reason.DENIED),
            Map.entry("XAdminUserNotFound", Reason.DENIED),
            Map.entry("ExpiredToken", Reason.DENIED),
            Map.entry("InvalidToken", Reason.DENIED),
            Map.entry("RequestTimeTooSkewed", Reason.CLOCK),
            Map.entry("RequestExpired", Reason.CLOCK),
            Map.entry("XAmzContentSHA256Mismatch", Reason.DAMAGED),
            Map.entry("BadDigest", Reason.DAMAGED),
            Map.entry("IncompleteBody", Reason.DAMAGED),
            Map.entry("RequestTimeout", Reason.UNREACHABLE),
            Map.entry("SlowDown", Reason.THROTTLED),
            Map.entry("QuotaExceeded", Reason.FULL),
            Map.entry("InsufficientCapacity", Reason.FULL),
            Map.entry("XMinioStorageFull", Reason.FULL));

    private static final Map<Integer, Reason> BY_STATUS = Map.of(
            401, Reason.DENIED,
            403, Reason.DENIED,
            408, Reason.UNREACHABLE,
            429, Reason.THROTTLED,
            503, Reason.THROTTLED,
            507, Reason.FULL);

    private final String store;

    /** @param store its name in messages */
    S3Failures(String store) {
        this.store = store;
    }

    /** @param accessKey the id of the key, if one was used */
    StoreException of(String request, @Nullable String accessKey, SdkException e) {
        if (e instanceof AwsServiceException answer) {
            return answered(request, accessKey, answer);
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof LocationException) {
                return new StoreException(Reason.DENIED, text(request, ThrowableText.of(cause)), e);
            }
            if (cause instanceof SSLPeerUnverifiedException) {
                return new StoreException(Reason.REFUSED, text(request, ThrowableText.of(cause)), e);
            }
            if (cause instanceof SSLException
                    && String.valueOf(cause.getMessage()).contains("PKIX")) {
                return new StoreException(
                        Reason.REFUSED,
                        text(request, "its certificate is not trusted -> ca_file: the certificate of its authority"),
                        e);
            }
        }
        if (String.valueOf(e.getMessage()).contains("Unable to load credentials")) {
            return new StoreException(Reason.DENIED, text(request, "the machine provides no credentials"), e);
        }
        return new StoreException(Reason.UNREACHABLE, text(request, innermost(e)), e);
    }

    private StoreException answered(String request, @Nullable String accessKey, AwsServiceException answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        String code = details == null ? null : details.errorCode();
        Reason reason = reason(code, answer);
        String said = (code == null ? "" : code + ", ") + "status " + answer.statusCode();
        String text =
                switch (reason) {
                    case MISSING -> text(request, "no such object");
                    case NO_BUCKET ->
                        store + ": the bucket does not exist (" + request
                                + ") -> create it, or correct the url of the location";
                    case DENIED ->
                        store + " refuses "
                                + (accessKey == null
                                        ? "the credentials of this machine"
                                        : "the access key " + tail(accessKey))
                                + " (" + request + "): " + said + " -> correct the credentials of the location";
                    case CLOCK -> clock(answer);
                    case FULL -> text(request, said(said, details)) + " -> make room there, or use another location";
                    default -> text(request, said(said, details));
                };
        return new StoreException(reason, text, answer);
    }

    private static String said(String code, @Nullable AwsErrorDetails details) {
        return code + (details == null ? "" : ": " + details.errorMessage());
    }

    private static Reason reason(@Nullable String code, AwsServiceException answer) {
        Reason known = code == null ? null : BY_CODE.get(code);
        if (known != null) {
            return known;
        }
        if (answer.isThrottlingException()) {
            return Reason.THROTTLED;
        }
        int status = answer.statusCode();
        return BY_STATUS.getOrDefault(status, status >= 500 ? Reason.UNREACHABLE : Reason.REFUSED);
    }

    /** One of the errors of a request for several objects. */
    StoreException ofObject(String request, @Nullable String code, @Nullable String message) {
        Reason reason = code == null ? Reason.REFUSED : BY_CODE.getOrDefault(code, Reason.REFUSED);
        return new StoreException(
                "AccessDenied".equals(code) ? Reason.DENIED : reason, text(request, code + ": " + message), null);
    }

    String text(String request, @Nullable String what) {
        return store + ": " + request + ": " + what;
    }

    private String clock(AwsServiceException answer) {
        Optional<Instant> theirs = Optional.ofNullable(answer.awsErrorDetails())
                .map(AwsErrorDetails::sdkHttpResponse)
                .flatMap(response -> response.firstMatchingHeader("Date"))
                .flatMap(S3Failures::date);
        String difference = theirs.map(date -> Duration.between(Instant.now(), date))
                .map(ahead -> duration(ahead.abs()) + (ahead.isNegative() ? " ahead of " : " behind "))
                .orElse("far from that of ");
        return "the clock of this machine is " + difference + store + ", which refuses its requests -> set its clock";
    }

    private static Optional<Instant> date(String header) {
        try {
            return Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static String duration(Duration duration) {
        return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }

    private static String tail(String accessKey) {
        return "..." + accessKey.substring(Math.max(0, accessKey.length() - 2));
    }

    private static String innermost(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return ThrowableText.of(cause);
    }
}
