package io.ringmaster.controller;

import io.ringmaster.core.Samples;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.FakeClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Datacenters of three machines in three racks each, moved along second by second. */
final class FakeFleet {
    final FakeClock clock = new FakeClock();
    final Map<DatacenterName, FakeDatacenter> datacenters = new LinkedHashMap<>();

    FakeFleet(int count) {
        this(count, 3);
    }

    FakeFleet(int count, int machines) {
        for (int dc = 1; dc <= count; dc++) {
            DatacenterName name = new DatacenterName("dc" + dc);
            List<Machine> all = new ArrayList<>();
            for (int m = 1; m <= machines; m++) {
                Machine sample = Samples.machine(m, "r" + ((m - 1) % 3 + 1));
                all.add(new Machine(
                        new MachineName("machine-" + m),
                        new RackName(sample.rack().value()),
                        "127.1." + dc + "." + m,
                        sample.cpuMillis(),
                        sample.memoryBytes(),
                        sample.diskBytes(),
                        sample.ports(),
                        false));
            }
            datacenters.put(name, new FakeDatacenter(name, all, clock));
        }
        datacenters.values().forEach(d -> {
            d.known.addAll(datacenters.keySet());
            d.known.remove(d.name);
            d.elect();
        });
        step();
    }

    FakeDatacenter dc(int number) {
        return datacenters.get(new DatacenterName("dc" + number));
    }

    List<FakeNode> nodes() {
        return datacenters.values().stream()
                .flatMap(d -> d.nodes.values().stream())
                .toList();
    }

    /** A second passes: nodes move, facts arrive, servers exchange reports. */
    void step() {
        clock.advanceMs(1000);
        datacenters.values().forEach(d -> d.deliver(nodes()));
        nodes().forEach(FakeNode::advance);
        exchangeReports(datacenters.values());
    }

    /** Exchanges reports between datacenters that know each other; a datacenter may introduce itself to another. */
    static void exchangeReports(Collection<FakeDatacenter> all) {
        for (FakeDatacenter from : all) {
            for (FakeDatacenter to : all) {
                DatacenterReport report = from.published;
                boolean connected = from.known.contains(to.name) || to.known.contains(from.name);
                if (from != to && connected && report != null && from.reachable && to.reachable) {
                    to.known.add(from.name);
                    to.tell(new Fact.PeerReported(report));
                } else if (to.known.contains(from.name)) {
                    to.tell(new Fact.PeerSilent(from.name, "unreachable"));
                }
            }
        }
    }

    /** Steps until it holds; fails with the plans after {@code limit} seconds. */
    void until(String what, int limit, BooleanSupplier holds) {
        for (int i = 0; i < limit; i++) {
            if (holds.getAsBoolean()) {
                return;
            }
            step();
        }
        throw new AssertionError("not within " + limit + " s: " + what + "\n" + describe());
    }

    /** Steps until no plan of any datacenter is running. */
    void untilSettled() {
        until("no plan runs", 120, this::isSettled);
    }

    /** Every datacenter has plans, and none of them runs. */
    boolean isSettled() {
        return datacenters.values().stream()
                .allMatch(d -> d.controller.unplannable().isEmpty()
                        && !d.controller.view().plans().isEmpty()
                        && d.controller.view().plans().values().stream()
                                .noneMatch(p -> p.status() == PlanStatus.RUNNING));
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        datacenters.values().forEach(d -> {
            d.controller.view().plans().values().forEach(p -> text.append(describe(p)));
            text.append(d.controller.unplannable()).append('\n');
        });
        return text.toString();
    }

    static String describe(Plan plan) {
        StringBuilder text = new StringBuilder();
        text.append(plan.id()).append(' ').append(plan.operation()).append(" v").append(plan.specVersion());
        text.append(' ').append(plan.status()).append('\n');
        plan.phases().forEach(phase -> {
            text.append("  ")
                    .append(phase.name())
                    .append(' ')
                    .append(phase.strategy())
                    .append('\n');
            phase.steps().forEach(s -> text.append("    ")
                    .append(s.name())
                    .append(' ')
                    .append(s.status())
                    .append(s.reason() == null ? "" : ": " + s.reason())
                    .append('\n'));
        });
        return text.toString();
    }
}
