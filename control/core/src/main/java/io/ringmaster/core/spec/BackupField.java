package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.BACKUP;
import static io.ringmaster.core.spec.SpecField.BACKUP_EVERY;
import static io.ringmaster.core.spec.SpecField.BACKUP_TO;
import static io.ringmaster.core.spec.SpecField.BANDWIDTH;
import static io.ringmaster.core.spec.SpecField.KEEP;
import static io.ringmaster.core.spec.SpecField.KEEP_DAILY;
import static io.ringmaster.core.spec.SpecField.KEEP_LAST;

import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads how often a cluster is backed up. Whether the location exists, the servers of its datacenters say. */
final class BackupField {
    private static final Duration MIN = Duration.ofHours(1);
    private static final Duration MAX = Duration.ofDays(365);
    private static final int MAX_LAST = 10_000;
    private static final int MAX_DAILY = 3650;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,47}");
    private static final String PER_SECOND = "/s";

    private BackupField() {}

    static @Nullable BackupSchedule read(FieldReader reader, @Nullable Node node) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, BACKUP.path, BACKUP.path);
        Optional<String> to = reader.text(
                fields.get(BACKUP_TO),
                BACKUP_TO.path,
                BACKUP_TO.form,
                text -> NAME.matcher(text).matches() ? Optional.of(text) : Optional.empty());
        Optional<Duration> every =
                reader.text(fields.get(BACKUP_EVERY), BACKUP_EVERY.path, BACKUP_EVERY.form, text -> Age.parse(text)
                        .filter(a -> a.compareTo(MIN) >= 0 && a.compareTo(MAX) <= 0));
        Keep keep = keep(reader, fields.get(KEEP));
        long limit = reader.text(fields.get(BANDWIDTH), BANDWIDTH.path, BANDWIDTH.form, BackupField::bytesPerSecond)
                .orElse(0L);
        return to.isEmpty() || every.isEmpty()
                ? null
                : new BackupSchedule(to.get(), every.get().toMinutes(), keep, limit);
    }

    private static @Nullable Keep keep(FieldReader reader, @Nullable Node node) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, KEEP.path, KEEP.path);
        Optional<Integer> last = reader.wholeNumber(fields.get(KEEP_LAST), KEEP_LAST.path, 1, MAX_LAST, KEEP_LAST.form);
        Optional<Integer> daily =
                reader.wholeNumber(fields.get(KEEP_DAILY), KEEP_DAILY.path, 0, MAX_DAILY, KEEP_DAILY.form);
        return last.map(l -> new Keep(l, daily.orElse(0))).orElse(null);
    }

    /** Whole KiB, which {@link Size#write} gives back exactly. */
    private static Optional<Long> bytesPerSecond(String text) {
        if (!text.endsWith(PER_SECOND)) {
            return Optional.empty();
        }
        OptionalLong bytes = Size.parse(text.substring(0, text.length() - PER_SECOND.length()));
        return bytes.isPresent() && bytes.getAsLong() % 1024 == 0 ? Optional.of(bytes.getAsLong()) : Optional.empty();
    }
}
