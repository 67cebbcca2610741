package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.MesosResource;
import io.ringmaster.pool.mesos.picture.MesosTask;
import io.ringmaster.pool.mesos.picture.Picture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Carries out the commands for one allocation. Methods are called one at a time, and may take minutes; each ends with a
 * report of the state, whatever came of it.
 */
public final class AllocationCommands {
    private static final Duration OPERATION_LIMIT = Duration.ofSeconds(10);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(TaskTemplate.GRACE_S + 30);
    /** A kill is sent again, because the master forgets one while it does not know the agent. */
    private static final Duration KILL_EVERY = Duration.ofSeconds(10);

    private final AllocationId id;
    private final PoolParts pool;
    private final MesosReports reports;
    private final ClusterWatch watch;

    public AllocationCommands(AllocationId id, PoolParts pool) {
        this.id = id;
        this.pool = pool;
        reports = pool.reports();
        watch = pool.watch();
    }

    private interface Task {
        void run() throws OperationRefusedException, PostponedException, IOException, InterruptedException;
    }

    /** @return why the command must be tried again; empty if it is done with */
    private Optional<String> carryOut(Allocation wanted, Task task) throws IOException, InterruptedException {
        reports.begin(id);
        try {
            watch.refresh();
            task.run();
            watch.refresh();
            reports.report(id);
        } catch (OperationRefusedException e) {
            watch.refresh();
            reports.fail(wanted, e.problem());
        } catch (PostponedException e) {
            watch.refresh();
            reports.pending(wanted, String.valueOf(e.getMessage()));
            return Optional.of(String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> reserve(Allocation wanted) throws IOException, InterruptedException {
        return carryOut(wanted, () -> {
            Agent agent = agent(wanted.machine());
            Optional<Picture.Holding> holding = watch.picture().holding(id);
            if (holding.isPresent()) {
                requireSame(holding.get(), wanted);
            }
            Claim claim =
                    new Claim(wanted, agent.machine().rack(), watch.picture().launched(id));
            boolean there = holding.filter(
                            h -> h.room() && h.claim().allocation().equals(wanted))
                    .isPresent();
            if (watch.picture().liveTask(id).isEmpty() && !there) {
                Offer offer = offer(wanted.machine(), o -> o.resources()
                        .lacks(claim, o.resources().room(id), needsDisk(o)));
                carryOut(offer, claimed(offer, claim));
            }
            reports.decided(wanted);
        });
    }

    private boolean needsDisk(Offer offer) {
        return offer.resources().volume(id).isEmpty()
                && offer.resources().disk(id).isEmpty();
    }

    private Agent agent(MachineName machine) throws OperationRefusedException, PostponedException {
        Optional<Agent> agent = watch.picture().agent(machine);
        if (agent.isPresent()) {
            return agent.get();
        }
        if (pool.isKnown(machine)) {
            throw new PostponedException("the master has lost the agent " + machine);
        }
        throw new OperationRefusedException("no agent of the name " + machine + " is registered with the master "
                + pool.masters().master());
    }

    private void requireSame(Picture.Holding holding, Allocation wanted) throws OperationRefusedException {
        Allocation before = holding.claim().allocation();
        if (!before.node().equals(wanted.node()) || !before.machine().equals(wanted.machine())) {
            throw new OperationRefusedException(
                    "the allocation " + id + " belongs to " + before.node() + " on " + before.machine());
        }
    }

    /** The operations after which exactly this is reserved, and the volume exists. */
    private List<ObjectNode> claimed(Offer offer, Claim claim) {
        List<ObjectNode> operations = new ArrayList<>();
        List<MesosResource> before = offer.resources().room(id);
        if (!before.isEmpty()) {
            operations.add(TaskTemplate.operation("UNRESERVE", pool.newOperation(id), before));
        }
        List<MesosResource> reserved = new ArrayList<>(pool.resources().room(claim));
        if (needsDisk(offer)) {
            reserved.add(pool.resources().disk(claim));
        }
        operations.add(TaskTemplate.operation("RESERVE", pool.newOperation(id), reserved));
        if (offer.resources().volume(id).isEmpty()) {
            MesosResource disk =
                    offer.resources().disk(id).orElseGet(() -> pool.resources().disk(claim));
            MesosResource volume = pool.resources().volume(disk, claim);
            operations.add(TaskTemplate.operation("CREATE", pool.newOperation(id), List.of(volume)));
        }
        return operations;
    }

    /** What an offer lacks, for people; empty if it suffices. */
    private interface Fit {
        List<String> lacks(Offer offer);
    }

    private List<String> lacksOwn(Offer offer, boolean room) {
        List<String> lacks = new ArrayList<>();
        if (offer.resources().volume(id).isEmpty()) {
            lacks.add("the volume of " + id);
        }
        if (room && offer.resources().room(id).isEmpty()) {
            lacks.add("what is reserved for " + id);
        }
        return lacks;
    }

    private Offer offer(MachineName machine, Fit fit) throws PostponedException, IOException, InterruptedException {
        AtomicReference<String> lack = new AtomicReference<>("waits for an offer of " + machine);
        return pool.offers()
                .take(
                        machine,
                        o -> {
                            List<String> lacks = fit.lacks(o);
                            lack.set("waits for " + machine + " to offer " + String.join(" and ", lacks));
                            return lacks.isEmpty();
                        },
                        pool.offerLimit())
                .orElseThrow(() -> new PostponedException(String.valueOf(lack.get())));
    }

    /** Accepts the offer, and waits for what becomes of each operation that gives feedback. */
    private void carryOut(Offer offer, List<ObjectNode> operations)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        List<String> ids = operations.stream()
                .map(o -> o.path("id").path("value").asText())
                .filter(text -> !text.isEmpty())
                .toList();
        ids.forEach(pool.feedback()::expect);
        pool.calls().call(SchedulerCalls.accept(offer.id(), operations));
        for (String operation : ids) {
            Optional<JsonNode> status = pool.feedback().await(operation, OPERATION_LIMIT);
            if (status.isEmpty()) {
                throw new PostponedException("the agent " + offer.machine() + " has not confirmed an operation");
            }
            String state = status.get().path("state").asText();
            if (!state.equals("OPERATION_FINISHED")) {
                throw new OperationRefusedException("Mesos refused to change what is reserved on " + offer.machine()
                        + ": " + state + " " + status.get().path("message").asText());
            }
        }
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> launch(Command.Launch command) throws IOException, InterruptedException {
        Allocation wanted = command.allocation();
        return carryOut(wanted, () -> {
            if (watch.picture().liveTask(id).isEmpty()) {
                start(wanted, command.cassandraVersion(), command.generation());
            }
            reports.decided(wanted);
        });
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> relaunch(Command.Relaunch command) throws IOException, InterruptedException {
        Allocation wanted = command.allocation();
        return carryOut(wanted, () -> {
            reserved(wanted);
            if (command.generation() <= watch.picture().launched(id) && !pool.hasFailed(id, command.generation())) {
                return;
            }
            if (watch.picture().liveTask(id).isPresent()) {
                reports.launching(wanted, "ends what runs, to launch it again");
                end();
            }
            start(wanted, command.cassandraVersion(), command.generation());
            reports.decided(wanted);
        });
    }

    private Picture.Holding reserved(Allocation wanted) throws OperationRefusedException, PostponedException {
        agent(wanted.machine());
        Optional<Picture.Holding> holding = watch.picture().holding(id).filter(Picture.Holding::room);
        if (holding.isEmpty()) {
            throw new OperationRefusedException(
                    "the allocation " + id + " is not reserved on " + wanted.machine() + "; reserve it first");
        }
        requireSame(holding.get(), wanted);
        return holding.get();
    }

    /** The claim gets the generation with the same call, so that it is known how far the launch came. */
    private void start(Allocation wanted, String version, long generation)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        reserved(wanted);
        Agent agent = agent(wanted.machine());
        reports.launching(wanted, "waits for an offer of " + wanted.machine());
        Claim claim = new Claim(wanted, agent.machine().rack(), generation);
        Offer offer = offer(wanted.machine(), o -> {
            List<String> lacks = lacksOwn(o, true);
            return lacks.isEmpty() ? o.resources().lacks(claim, o.resources().room(id), false) : lacks;
        });
        reports.launching(wanted, "starts its task");
        List<ObjectNode> operations = claimed(offer, claim);
        List<MesosResource> resources = new ArrayList<>(pool.resources().room(claim));
        resources.add(offer.resources().volume(id).orElseThrow());
        String task = MesosTask.newId(claim, System.currentTimeMillis());
        operations.add(pool.launch(task, offer, claim, resources, version, agent));
        pool.feedback().expect(task);
        carryOut(offer, operations);
        Optional<JsonNode> status = pool.feedback().await(task, START_LIMIT);
        MesosTask.State state =
                status.map(s -> MesosTask.State.of(s.path("state").asText())).orElse(MesosTask.State.TASK_STAGING);
        pool.noteLaunch(id, generation, state.neverRan());
        if (state.neverRan()) {
            throw new OperationRefusedException("Mesos refused to launch " + id + ": " + state + " "
                    + status.map(s -> s.path("message").asText()).orElse(""));
        }
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> kill() throws IOException, InterruptedException {
        return ending(() -> {
            end();
            reports.stopped(id);
        });
    }

    /**
     * @param destroyVolume otherwise the disk stays reserved, with the volume on it
     * @return why the command must be tried again; empty if it is done with
     */
    public Optional<String> release(boolean destroyVolume) throws IOException, InterruptedException {
        return ending(() -> {
            end();
            Optional<Picture.Holding> holding = watch.picture().holding(id);
            if (holding.isPresent() && (destroyVolume || holding.get().room())) {
                giveBack(holding.get(), destroyVolume);
            }
        });
    }

    private Optional<String> ending(Task task) throws IOException, InterruptedException {
        Picture picture = watch.refresh();
        Optional<Allocation> known =
                picture.holding(id).map(h -> h.claim().allocation()).or(() -> pool.lastReported(id));
        if (known.isEmpty()) {
            reports.report(id);
            return Optional.empty();
        }
        if (picture.agent(known.get().machine()).isEmpty()
                && pool.isKnown(known.get().machine())) {
            reports.report(id);
            return Optional.of("the master has lost the agent " + known.get().machine());
        }
        return carryOut(known.get(), task);
    }

    /** Ends the run that is there. */
    private void end() throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        Optional<MesosTask> running = watch.picture().liveTask(id);
        if (running.isEmpty()) {
            return;
        }
        MesosTask task = running.get();
        long limit = System.nanoTime() + KILL_LIMIT.toNanos();
        while (System.nanoTime() < limit) {
            pool.calls().call(SchedulerCalls.kill(task.id(), task.agent()));
            if (watch.await(p -> MesosReports.isOver(p, task), KILL_EVERY)) {
                return;
            }
            if (watch.picture().agent(task.claim().allocation().machine()).isEmpty()) {
                throw new PostponedException("the master has lost the agent "
                        + task.claim().allocation().machine());
            }
        }
        throw new OperationRefusedException("the task " + task.id() + " does not end");
    }

    private void giveBack(Picture.Holding holding, boolean destroyVolume)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        Offer offer = offer(holding.claim().allocation().machine(), o -> lacksOwn(o, holding.room()));
        List<MesosResource> back = new ArrayList<>(offer.resources().room(id));
        List<ObjectNode> operations = new ArrayList<>();
        if (destroyVolume) {
            MesosResource volume = offer.resources().volume(id).orElseThrow();
            operations.add(TaskTemplate.operation("DESTROY", pool.newOperation(id), List.of(volume)));
            back.add(volume.withoutVolume());
        }
        operations.add(TaskTemplate.operation("UNRESERVE", pool.newOperation(id), back));
        carryOut(offer, operations);
    }
}
