package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withYaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clocks of servers were hours ahead. Nothing waits until that time comes again. */
class ClockSetBackTest {
    private static final Duration AHEAD = Duration.ofHours(5);
    private static final ClusterName RIDES = new ClusterName("rides");

    private final FakeFleet fleet = new FakeFleet(2);

    @BeforeEach
    void create() {
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        fleet.clock.advance(AHEAD);
        steps(40);
    }

    private void steps(int seconds) {
        for (int i = 0; i < seconds; i++) {
            fleet.step();
        }
    }

    @Test
    void a_change_is_deployed_in_all_datacenters() {
        fleet.clock.advance(AHEAD.negated());
        steps(1);
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 64)));
        fleet.until("every node has it", 180, () -> fleet.nodes().stream()
                .allMatch(n -> n.target.cassandraYaml().containsKey("concurrent_reads")));
    }

    @Test
    void a_command_is_repeated_whatever_its_pause() {
        CommandSender sender = new CommandSender(fleet.dc(1).pool, fleet.dc(1).executorClient);
        List<Command> forget = List.of(new Command.Forget(new NodeId(RIDES, fleet.dc(1).name, 0)));
        Instant ahead = fleet.clock.now();
        sender.send(forget, ahead, 1);
        assertThat(sender.due(forget, ahead)).isEmpty();
        assertThat(sender.due(forget, ahead.minus(AHEAD))).isEqualTo(forget);
    }

    @Test
    void a_datacenter_that_does_not_report_any_more_is_silent() {
        fleet.clock.advance(AHEAD.negated());
        fleet.dc(2).controller.tick();
        assertThat(fleet.dc(2).controller.view().silence(fleet.dc(1).name)).isPresent();
    }
}
