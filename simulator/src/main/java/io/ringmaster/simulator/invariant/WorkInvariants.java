package io.ringmaster.simulator.invariant;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.simulator.world.World;
import java.util.HashSet;
import java.util.Set;

/** What the records order: no request is carried out twice, and nothing is cleaned up beside a dead node. */
public final class WorkInvariants {
    /** A server knows of an outage in its own datacenter after this time. */
    private static final int KNOWN_MILLIS = 10_000;

    private final World world;
    private final Set<String> over = new HashSet<>();
    private final Set<String> cleanups = new HashSet<>();
    private final DeployInvariants deploys;
    private long checkedCommits = -1;

    public WorkInvariants(World world) {
        this.world = world;
        this.deploys = new DeployInvariants(world);
    }

    /** @throws Violation for the first invariant that is broken */
    public void check() {
        long commits = world.commits();
        if (commits != checkedCommits) {
            checkedCommits = commits;
            checkChanged();
        }
    }

    private void checkChanged() {
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (StoredRecord record : world.store(datacenter).load()) {
                if (record instanceof RequestRecord request) {
                    checkRequest(datacenter, request);
                } else if (record instanceof NodeRecord node) {
                    checkCleanup(node);
                } else if (record instanceof PlanRecord plan) {
                    deploys.check(plan.plan());
                }
            }
        }
    }

    /** A request that is over in a datacenter stays over there, also if the store lost it meanwhile. */
    private void checkRequest(DatacenterName datacenter, RequestRecord record) {
        String key = datacenter + " " + record.request().id() + " "
                + record.request().at();
        if (record.part().state().isOver()) {
            over.add(key);
        } else if (over.contains(key)) {
            throw new Violation(
                    "request-once",
                    record.request().title() + " was over in " + datacenter + " and is "
                            + record.part().state() + " again");
        }
    }

    /** A cleanup drops copies that may be the last ones while a node that took over ranges is down. */
    private void checkCleanup(NodeRecord record) {
        NodeTask task = record.task();
        if (task == null
                || task.kind() != NodeTask.Kind.CLEANUP
                || !cleanups.add(record.allocation().id() + " " + task.id())) {
            return;
        }
        world.members(record.id().cluster())
                .filter(n -> n.datacenter().equals(record.id().datacenter()))
                .filter(n -> !n.id().equals(record.id()) && WorldInvariants.isDownFor(KNOWN_MILLIS, world, n))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "cleanup-beside-serving", record.id() + " is to clean up while " + n.name() + " is down");
                });
    }
}
