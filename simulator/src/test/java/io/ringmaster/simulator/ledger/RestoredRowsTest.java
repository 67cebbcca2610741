package io.ringmaster.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.ledger.RingState.Member;
import io.ringmaster.simulator.ledger.RingState.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RestoredRowsTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final List<String> RACKS = List.of("r1", "r2", "r3", "r1");

    private final Ledger ledger = new Ledger(
            new SeededRandom(1), 0, new VirtualClock(), () -> new TreeMap<>(Map.of("trips", Map.of(DC1, 3))));
    private final List<Replica> members = replicas("");
    private final List<Replica> former = replicas("former-");
    private final RingState ring = new RingState(
            members.stream().map(m -> new Member(m, Status.SERVES, 0)).toList(), null, false);

    private static List<Replica> replicas(String prefix) {
        return Stream.of(0, 1, 2, 3)
                .map(n -> {
                    Replica replica = new Replica(prefix + n, DC1);
                    replica.startsWith(
                            List.of(Long.MIN_VALUE + n * (Long.MAX_VALUE / 2)), new RackName(prefix + RACKS.get(n)));
                    return replica;
                })
                .toList();
    }

    /** @param importedBy the member with the files of each replica of the backup */
    private Audit.Result restored(Replica... importedBy) {
        Map<Replica, Replica> heirs = new LinkedHashMap<>();
        former.forEach(f -> heirs.put(f, importedBy[former.indexOf(f)]));
        ledger.restored(heirs);
        return ledger.check(ring);
    }

    @Test
    void every_node_has_the_rows_of_its_source_and_some_are_complete_only_after_a_repair() {
        Audit.Result before = restored(members.toArray(Replica[]::new));
        assertThat(before.invariant()).isEqualTo(Audit.COMPLETE);
        members.forEach(n -> ledger.repaired(n, Map.of(), Share.ALL, ring));
        Audit.Result after = ledger.check(ring);
        assertThat(after.what()).isNull();
        assertThat(after.checked()).isPositive();
    }

    @Test
    void nodes_that_imported_the_files_of_each_other_miss_rows() {
        Audit.Result result = restored(members.get(3), members.get(1), members.get(2), members.get(0));
        assertThat(result.invariant()).isEqualTo(Audit.READABLE);
    }

    @Test
    void rows_that_too_few_nodes_imported_are_missed() {
        Audit.Result result = restored(members.get(0), former.get(1), former.get(2), members.get(3));
        assertThat(result.invariant()).isEqualTo(Audit.READABLE);
    }
}
