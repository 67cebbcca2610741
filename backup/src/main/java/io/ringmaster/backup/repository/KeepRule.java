package io.ringmaster.backup.repository;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Which backups are kept: the newest ones, and the newest of each of the newest days, by UTC, that have any. A day
 * without backups therefore costs none, and the newest one is always kept. A backup whose id is of the future counts as
 * one of now: it takes a place of {@code last}, and may be the newest of today, until it is deleted by its name.
 *
 * @param last the number of newest backups, at least 1
 * @param daily the number of days
 */
public record KeepRule(int last, int daily) {
    public KeepRule {
        if (last < 1 || daily < 0) {
            throw new IllegalArgumentException("keep needs last: of at least 1, and daily: of at least 0");
        }
    }

    /**
     * @param backups the complete ones
     * @param now by the clock of the store
     * @return why each of those to keep is kept: {@code last 2}, {@code daily 3}
     */
    public Map<BackupId, String> kept(Collection<BackupId> backups, Instant now) {
        Function<BackupId, Instant> time = id -> id.isOfFuture(now) ? now : id.time();
        List<BackupId> newestFirst = backups.stream()
                .sorted(Comparator.comparing(time)
                        .thenComparing(Comparator.naturalOrder())
                        .reversed())
                .toList();
        Map<LocalDate, BackupId> days = new TreeMap<>(Comparator.reverseOrder());
        newestFirst.forEach(
                id -> days.putIfAbsent(time.apply(id).atOffset(ZoneOffset.UTC).toLocalDate(), id));
        Map<BackupId, String> kept = new TreeMap<>(Comparator.reverseOrder());
        put(kept, "last ", newestFirst.subList(0, Math.min(last, newestFirst.size())));
        put(kept, "daily ", days.values().stream().limit(daily).toList());
        return kept;
    }

    private static void put(Map<BackupId, String> kept, String rule, List<BackupId> backups) {
        for (int i = 0; i < backups.size(); i++) {
            kept.putIfAbsent(backups.get(i), rule + (i + 1));
        }
    }
}
