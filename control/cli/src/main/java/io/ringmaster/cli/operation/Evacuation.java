package io.ringmaster.cli.operation;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.screen.OperationScreen;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Evacuates one machine: cordons it and requests that every cluster moves its nodes to other machines.
 *
 * @param repair whether the nodes' ranges are repaired before the move
 */
public record Evacuation(Session session, DatacenterName datacenter, MachineName machine, boolean repair, String why) {
    /** Shows the plan of each cluster; changes nothing. */
    public void show() {
        RingmasterClient client = session.client();
        for (ClusterName cluster : clusters(client)) {
            OperationAnswer draft = client.operate(cluster, OperationNames.EVACUATE, ask(), ChangeOptions.DRY_RUN);
            session.print(
                    draft,
                    () -> OperationScreen.draft(
                            draft, Instant.now(), session.console().width()));
        }
    }

    /** @param wait whether to wait for each cluster before the next one starts */
    public void run(boolean yes, boolean wait, Duration timeout) throws InterruptedException {
        show();
        session.confirm("Evacuate " + datacenter + "/" + machine + "?", yes);
        RingmasterClient client = session.client();
        client.cordon(datacenter, machine, why.isEmpty() ? OperationNames.EVACUATE : why);
        session.console().note(Line.of(datacenter + "/" + machine + " is cordoned"));
        for (ClusterName cluster : clusters(client)) {
            new OperationRunner(session, client, cluster, timeout)
                    .run(OperationNames.EVACUATE, ask(), ChangeOptions.APPLY, wait);
        }
    }

    private OperationAsk ask() {
        return new OperationAsk(
                Map.of("machine", datacenter + "/" + machine, "skip_repair", Boolean.toString(!repair)), why);
    }

    private List<ClusterName> clusters(RingmasterClient client) {
        MachineState state = client.machines().items().stream()
                .filter(m -> m.datacenter().equals(datacenter))
                .filter(m -> m.machine().name().equals(machine) && m.machine().offered())
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "no machine " + datacenter + "/" + machine + " is offered by the pool",
                        PROGRAM + " machine list; to replace the node of a lost machine: " + PROGRAM
                                + " node replace NODE"));
        return state.allocations().stream()
                .filter(a -> a.status() != AllocationState.Status.RELEASED)
                .map(a -> a.allocation().node().cluster())
                .distinct()
                .sorted()
                .toList();
    }
}
