package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.MesosResource;
import io.ringmaster.pool.mesos.picture.MesosTask;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The runs of the executor of one allocation: how a task is launched on what is reserved, and ended. */
final class TaskRuns {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(TaskTemplate.GRACE_S + 30);
    /** A kill is sent again, because the master forgets one while it does not know the agent. */
    private static final Duration KILL_EVERY = Duration.ofSeconds(10);

    private final AllocationId id;
    private final PoolParts pool;
    private final Reservation reservation;

    TaskRuns(AllocationId id, PoolParts pool, Reservation reservation) {
        this.id = id;
        this.pool = pool;
        this.reservation = reservation;
    }

    /** The claim gets the generation with the same call, so that it is known how far the launch came. */
    void start(Allocation wanted, String version, long generation)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        reservation.requireReserved(wanted);
        Agent agent = reservation.agent(wanted.machine());
        pool.reports().launching(wanted, "waits for an offer of " + wanted.machine());
        Claim claim = new Claim(wanted, agent.machine().rack(), generation);
        Offer offer = reservation.offerToLaunch(claim);
        pool.reports().launching(wanted, "starts its task");
        List<ObjectNode> operations = reservation.claimed(offer, claim);
        List<MesosResource> resources = new ArrayList<>(pool.resources().room(claim));
        resources.add(offer.resources().volume(id).orElseThrow());
        String task = MesosTask.newId(claim, System.currentTimeMillis());
        operations.add(pool.launch(task, offer, claim, resources, version, agent));
        pool.feedback().expect(task);
        try {
            new OfferOperations(id, pool).carryOut(offer, operations);
            requireStarted(generation, pool.feedback().await(task, START_LIMIT));
        } finally {
            pool.feedback().forget(task);
        }
    }

    private void requireStarted(long generation, Optional<JsonNode> status)
            throws OperationRefusedException, PostponedException {
        MesosTask.State state =
                status.map(s -> MesosTask.State.of(s.path("state").asText())).orElse(MesosTask.State.TASK_STAGING);
        pool.noteLaunch(id, generation, state.neverRan());
        String what = id + ": " + state + " "
                + status.map(s -> s.path("message").asText()).orElse("");
        if (state == MesosTask.State.TASK_DROPPED) { // such as for an offer that the master took back
            throw new PostponedException("Mesos did not launch " + what);
        }
        if (state.neverRan()) {
            throw new OperationRefusedException("Mesos refused to launch " + what);
        }
    }

    /** Ends the run that is there. */
    void end() throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        Optional<MesosTask> running = pool.watch().picture().liveTask(id);
        if (running.isEmpty()) {
            return;
        }
        MesosTask task = running.get();
        long limit = System.nanoTime() + KILL_LIMIT.toNanos();
        while (System.nanoTime() < limit) {
            pool.calls().call(SchedulerCalls.kill(task.id(), task.agent()));
            if (pool.watch().await(p -> MesosReports.isOver(p, task), KILL_EVERY)) {
                return;
            }
            reservation.requireNotLost(task.claim().allocation().machine());
        }
        throw new OperationRefusedException("the task " + task.id() + " does not end");
    }
}
