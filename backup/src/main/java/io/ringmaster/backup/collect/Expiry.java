package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.KeepRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which backups a collection deletes. None deletes the newest complete one. */
@FunctionalInterface
public interface Expiry {
    /** @throws CollectException if one of them must stay, or does not exist */
    Set<BackupId> of(Survey survey) throws IOException;

    /**
     * All complete ones that the rule does not keep.
     *
     * @param made the backup that was just made, which stays whatever the clocks of machines say; null if none was
     */
    static Expiry keeping(KeepRule rule, @Nullable BackupId made) {
        return survey -> {
            NavigableSet<BackupId> expired = survey.complete();
            expired.removeAll(rule.kept(expired, survey.latest()).keySet());
            if (made != null) {
                expired.remove(made);
            }
            return expired;
        };
    }

    /** These ones; all of them must exist. */
    static Expiry named(Collection<BackupId> backups) {
        return survey -> {
            List<Refusal> refused = refused(survey, backups);
            if (!refused.isEmpty()) {
                throw new CollectException(refused.stream().map(Refusal::why).collect(Collectors.joining("; "))
                        + " -> nothing was deleted");
            }
            return Set.copyOf(backups);
        };
    }

    /** These ones, as far as a collection that was killed has left them. */
    static Expiry rest(Collection<BackupId> backups) {
        return survey -> named(backups.stream().filter(survey::knows).toList()).of(survey);
    }

    /**
     * A backup that is not deleted.
     *
     * @param unknown whether there is no such backup
     */
    record Refusal(BackupId backup, boolean unknown, String why) {}

    /** Those of the backups that are not deleted. */
    static List<Refusal> refused(Survey survey, Collection<BackupId> backups) {
        NavigableSet<BackupId> complete = survey.complete();
        List<Refusal> refused = new ArrayList<>();
        for (BackupId backup : new TreeSet<>(backups)) {
            if (!survey.knows(backup)) {
                refused.add(new Refusal(backup, true, "there is no backup " + backup + ", but " + names(complete)));
            } else if (survey.newest().filter(backup::equals).isPresent()) {
                refused.add(
                        new Refusal(backup, false, backup + " is the newest complete backup, which is never deleted"));
            }
        }
        return refused;
    }

    private static String names(NavigableSet<BackupId> complete) {
        return complete.isEmpty()
                ? "none at all"
                : complete.descendingSet().stream().map(BackupId::toString).collect(Collectors.joining(", "));
    }
}
