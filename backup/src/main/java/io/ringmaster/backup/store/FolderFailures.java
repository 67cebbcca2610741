package io.ringmaster.backup.store;

import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/** What the failures of a file system mean for a client of a store. */
final class FolderFailures {
    /** The texts of strerror(3): Java has no types for these. */
    private static final Map<String, Reason> BY_TEXT = Map.ofEntries(
            Map.entry("Is a directory", Reason.MISSING),
            Map.entry("Not a directory", Reason.MISSING),
            Map.entry("No space left on device", Reason.FULL),
            Map.entry("Disk quota exceeded", Reason.FULL),
            Map.entry("Read-only file system", Reason.DENIED),
            Map.entry("Operation not permitted", Reason.DENIED),
            Map.entry("Stale file handle", Reason.UNREACHABLE),
            Map.entry("Input/output error", Reason.UNREACHABLE),
            Map.entry("Connection timed out", Reason.UNREACHABLE),
            Map.entry("Transport endpoint is not connected", Reason.UNREACHABLE),
            Map.entry("Host is down", Reason.UNREACHABLE));

    private FolderFailures() {}

    static Reason reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return Reason.MISSING;
        }
        if (e instanceof AccessDeniedException) {
            return Reason.DENIED;
        }
        String text = text(e);
        return BY_TEXT.entrySet().stream()
                .filter(known -> text.contains(known.getKey()))
                .map(Map.Entry::getValue)
                .findAny()
                .orElse(Reason.REFUSED);
    }

    /** Without the path, which the message has already. */
    static String text(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such object";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = e instanceof FileSystemException named ? named.getReason() : ThrowableText.of(e);
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
