package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationInfo;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A backup and its location. */
record FoundBackup(String location, BackupInfo backup) {
    /**
     * The newest sound backup that fits: an id starts with its time, and those of the future come last. Newer ones
     * that are damaged are reported.
     *
     * @param id null for any
     * @param from null for all locations
     * @throws Failure there is none, or it is damaged
     */
    static FoundBackup newest(Session session, ClusterName cluster, @Nullable String id, @Nullable String from) {
        Map<String, List<BackupInfo>> all = byLocation(session, cluster, from);
        Instant now = Instant.now();
        List<FoundBackup> newestFirst = all.entrySet().stream()
                .flatMap(e -> e.getValue().stream().map(b -> new FoundBackup(e.getKey(), b)))
                .filter(f -> id == null || f.backup.id().equals(id))
                .sorted(Comparator.comparing((FoundBackup f) -> !f.backup.isOfFuture(now))
                        .thenComparing(f -> f.backup.id())
                        .reversed())
                .toList();
        for (FoundBackup found : newestFirst) {
            String problem = found.backup.problem();
            if (problem == null) {
                newestFirst.stream()
                        .filter(f -> f.backup.isOfFuture(now) && !found.backup.isOfFuture(now))
                        .forEach(f -> session.console().note(f.ofFuture(now)));
                return found;
            }
            session.console().note(Line.of("skips " + found.backup.id() + " in " + found.location + ": " + problem));
        }
        throw new Failure(
                ExitCode.REFUSED,
                cluster + " has no " + (newestFirst.isEmpty() ? "" : "undamaged ") + "backup"
                        + (id == null ? "" : " " + id) + " in " + String.join(", ", all.keySet()),
                PROGRAM + " backup list " + cluster);
    }

    private Line ofFuture(Instant now) {
        return Line.of(
                "skips " + backup.id() + " in " + location + ", which is of the future by this computer's clock, "
                        + now.truncatedTo(ChronoUnit.SECONDS) + " -> set the clock, or name the backup");
    }

    /** By location. One that does not answer is reported and left out, unless it was named. */
    static Map<String, List<BackupInfo>> byLocation(
            Session session, @Nullable ClusterName cluster, @Nullable String from) {
        RingmasterClient client = session.client();
        if (from != null) {
            return Map.of(from, client.backups(from, cluster));
        }
        Map<String, List<BackupInfo>> backups = new TreeMap<>();
        for (LocationInfo location : client.locations().items()) {
            try {
                backups.put(location.name(), client.backups(location.name(), cluster));
            } catch (RefusedException e) {
                e.problems().forEach(p -> session.console().note(Line.of(location.name() + ": " + p.message())));
            }
        }
        return backups;
    }
}
