package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The backups of a cluster, as far as their requests are known. The part of the first datacenter decides about a
 * backup: it writes the manifest.
 */
public final class BackupHistory {
    private BackupHistory() {}

    /** The last backup that was made, at any location. */
    public static Optional<Request> last(View view, ClusterName cluster) {
        return newest(view, requests(view, cluster), BackupHistory::isMade);
    }

    /** The last backup that was made at this location. */
    public static Optional<Request> last(View view, ClusterName cluster, String location) {
        return newest(view, requests(view, cluster, location), BackupHistory::isMade);
    }

    /** When it was requested; empty if by a wrong clock, so that its age is not known. */
    public static Optional<Instant> lastTime(View view, ClusterName cluster, String location) {
        return last(view, cluster, location)
                .filter(r -> !Schedule.isOfFuture(view, r))
                .map(Request::at);
    }

    /** The last backup that was made at this location, if its id says that it is of the future. */
    public static Optional<Request> ofFuture(View view, ClusterName cluster, String location) {
        return last(view, cluster, location).filter(r -> Schedule.isOfFuture(view, r));
    }

    /** Why no backup at this location has an age, for people. */
    public static String none(View view, ClusterName cluster, String location) {
        return ofFuture(view, cluster, location).isPresent()
                ? "the age of the last backup at " + location + " is not known"
                : location + " has no backup yet";
    }

    /** The last request for a backup at this location that is over, if it made none. */
    public static Optional<Request> failed(View view, ClusterName cluster, String location) {
        return newest(view, requests(view, cluster, location), part -> part.state()
                        .isOver())
                .filter(r -> part(view, r).filter(BackupHistory::isMade).isEmpty());
    }

    /** How many scheduled backups at this location failed since the last one that was made. */
    public static int failures(View view, ClusterName cluster, String location) {
        int failures = 0;
        for (Request request : requests(view, cluster, location)) {
            Optional<RequestPart> over =
                    part(view, request).filter(p -> p.state().isOver());
            if (over.filter(BackupHistory::isMade).isPresent()) {
                failures = 0;
            } else if (over.isPresent() && request.who().equals(Schedule.WHO)) {
                failures++;
            }
        }
        return failures;
    }

    /** The part of the datacenter that writes the manifest. */
    public static Optional<RequestPart> part(View view, Request request) {
        return view.targetSpec(request.cluster())
                .map(s -> s.spec().datacenterNames().get(0))
                .flatMap(first -> OperationLock.part(view, first, request));
    }

    private static boolean isMade(RequestPart part) {
        return part.state() == RequestPart.State.DONE;
    }

    private static Optional<Request> newest(View view, List<Request> requests, Predicate<RequestPart> wanted) {
        return requests.stream()
                .filter(r -> part(view, r).filter(wanted).isPresent())
                .reduce((earlier, later) -> later);
    }

    private static List<Request> requests(View view, ClusterName cluster, String location) {
        return requests(view, cluster).stream()
                .filter(r -> location.equals(r.params().get(Backup.TO)))
                .toList();
    }

    private static List<Request> requests(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(Backup.NAME))
                .toList();
    }
}
