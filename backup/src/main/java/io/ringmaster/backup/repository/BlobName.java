package io.ringmaster.backup.repository;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a blob: {@code <SHA-256 of its bytes>.<epoch>}. The epoch is that of the backup that sent the blob, so
 * that a collection can leave alone what newer backups send meanwhile, even if it has the bytes of an older blob.
 *
 * @param hash 64 lowercase hex digits
 */
public record BlobName(String hash, long epoch) {
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{64})\\.(0|[1-9]\\d{0,9})");

    /** @throws IllegalArgumentException if the text has another form */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static BlobName parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no name of a blob");
        }
        return new BlobName(m.group(1), Long.parseLong(m.group(2)));
    }

    /** Enough of the hash for a message. */
    public String brief() {
        return hash.substring(0, 12);
    }

    @Override
    @JsonValue
    public String toString() {
        return hash + "." + epoch;
    }
}
