package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.mesos.picture.Picture;
import java.io.IOException;
import java.util.Optional;

/**
 * Carries out the commands for one allocation. Methods are called one at a time, and may take minutes; each ends with a
 * report of the state, whatever came of it.
 */
public final class AllocationCommands {
    private final AllocationId id;
    private final PoolParts pool;
    private final MesosReports reports;
    private final ClusterWatch watch;
    private final Reservation reservation;
    private final TaskRuns runs;

    public AllocationCommands(AllocationId id, PoolParts pool) {
        this.id = id;
        this.pool = pool;
        reports = pool.reports();
        watch = pool.watch();
        reservation = new Reservation(id, pool);
        runs = new TaskRuns(id, pool, reservation);
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
            reports.waits(wanted, ThrowableText.of(e));
            return Optional.of(ThrowableText.of(e));
        }
        return Optional.empty();
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> reserve(Allocation wanted) throws IOException, InterruptedException {
        return carryOut(wanted, () -> {
            reservation.reserve(wanted);
            reports.decided(wanted);
        });
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> launch(Command.Launch command) throws IOException, InterruptedException {
        Allocation wanted = command.allocation();
        return carryOut(wanted, () -> {
            if (watch.picture().liveTask(id).isEmpty()) {
                runs.start(wanted, command.cassandraVersion(), command.generation());
            }
            reports.decided(wanted);
        });
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> relaunch(Command.Relaunch command) throws IOException, InterruptedException {
        Allocation wanted = command.allocation();
        return carryOut(wanted, () -> {
            reservation.requireReserved(wanted);
            if (command.generation() <= watch.picture().launched(id) && !pool.hasFailed(id, command.generation())) {
                return;
            }
            if (watch.picture().liveTask(id).isPresent()) {
                reports.launching(wanted, "ends what runs, to launch it again");
                runs.end();
            }
            runs.start(wanted, command.cassandraVersion(), command.generation());
            reports.decided(wanted);
        });
    }

    /** @return why the command must be tried again; empty if it is done with */
    public Optional<String> kill() throws IOException, InterruptedException {
        return ending(() -> {
            runs.end();
            reports.stopped(id);
        });
    }

    /**
     * @param destroyVolume otherwise the disk stays reserved, with the volume on it
     * @return why the command must be tried again; empty if it is done with
     */
    public Optional<String> release(boolean destroyVolume) throws IOException, InterruptedException {
        return ending(() -> {
            runs.end();
            reservation.giveBack(destroyVolume);
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
        return carryOut(known.get(), () -> {
            reservation.requireNotLost(known.get().machine());
            task.run();
        });
    }
}
