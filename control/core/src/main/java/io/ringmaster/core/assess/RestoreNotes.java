package io.ringmaster.core.assess;

import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a plan says about the backup that its cluster starts from. */
public final class RestoreNotes {
    private RestoreNotes() {}

    /** @param nodes all of this datacenter; none of them follows if the cluster starts empty */
    public static List<String> of(View view, SpecRecord target, List<NodeRecord> nodes) {
        RestoreOrigin origin = Restoration.of(view, target).orElse(null);
        if (origin == null) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        for (NodeRecord node : nodes) {
            RestoredNodes.source(origin, node)
                    .ifPresent(source -> notes.add(node.id().shortName() + " on "
                            + node.allocation().machine() + " (rack " + node.rack() + ") takes the data of "
                            + source.node().datacenter() + " " + source.node().shortName() + " (rack "
                            + source.rack() + "): " + Size.text(source.bytes()) + " of "
                            + Size.text(target.spec().resources().diskBytes())));
        }
        Duration age = Duration.between(origin.cutAt(), target.appliedAt());
        notes.add("the snapshots of the backup are of " + origin.cutAt() + ", " + age(age)
                + " ago; what was written later is not in it, and rows whose TTL ended since are gone");
        notes.add("CQL stays closed until every node of every datacenter has imported its data");
        notes.add("gc_grace_seconds of each table is raised by "
                + Duration.ofSeconds(origin.graceSeconds(target.appliedAt())).toDays()
                + " days: repair the cluster, then set it back");
        notes.add("not restored: roles, and the keyspaces of Cassandra and Ringmaster");
        return notes;
    }

    private static String age(Duration age) {
        Duration whole = Duration.ofMinutes(Math.max(1, age.toMinutes()));
        return Age.write(whole.toHours() < 48 ? whole : Duration.ofDays(whole.toDays()));
    }
}
