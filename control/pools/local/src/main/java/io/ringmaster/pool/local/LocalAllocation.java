package io.ringmaster.pool.local;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.local.AllocationFolder.SavedAllocation;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.UnusableAuthorityException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One allocation of the pool. Methods are called one at a time; each ends with a report of the new state. */
final class LocalAllocation {
    private static final Logger LOG = LoggerFactory.getLogger(LocalAllocation.class);
    private final AllocationId id;
    private final Surroundings pool;
    private final AllocationReports reports;

    LocalAllocation(AllocationId id, Surroundings pool) {
        this.id = id;
        this.pool = pool;
        this.reports = new AllocationReports(id, pool.reports());
    }

    AllocationId id() {
        return id;
    }

    /** Takes over an allocation of an earlier server. */
    void adopt(AllocationFolder folder) throws IOException {
        SavedAllocation saved = folder.state();
        Allocation allocation = saved.allocation();
        if (!allocation.id().equals(id)) {
            throw new IOException(folder.path() + " holds the allocation " + allocation.id());
        }
        folder.writeCopy();
        Optional<ProcessIdentity> executor =
                saved.launching() > 0 ? new AllocationProcesses(folder).executor() : folder.executor();
        reports.at(pool.addresses().adopted(saved, executor.isPresent()));
        if (executor.isPresent() && executor.get().isAlive()) {
            reports.report(allocation, Status.RUNNING, "executor adopted", folder.limitsWarning(executor.get()));
            pool.watch().start(this, executor.get(), null);
            if (pool.folders().renewToken(folder)) {
                // it knows the former token; its daemon goes on, and the next one reads the new one
                ProcessHandle.of(executor.get().pid()).ifPresent(ProcessHandle::destroy);
            }
        } else if (executor.isPresent()) {
            reports.report(allocation, Status.EXITED, "executor ended while no server ran" + folder.tail(), null);
        } else {
            reports.report(AllocationState.of(
                    allocation, saved.released() ? Status.RELEASED : Status.RESERVED, saved.since(), 0));
        }
        if (saved.released()) {
            pool.reservations().keepVolume(allocation);
        } else {
            pool.reservations().adopted(allocation);
        }
        if (executor.isPresent()) {
            folder.recordStart();
        }
    }

    void reserve(Allocation allocation) {
        Optional<AllocationFolder> there = pool.folders().find(id);
        Reservations.Held before = pool.reservations().held(id);
        try {
            Optional<Problem> refusal =
                    there.isPresent() ? ofAnother(there.get().state().allocation(), allocation) : Optional.empty();
            refusal = refusal.or(() -> pool.reservations().tryReserve(allocation));
            if (refusal.isPresent()) {
                reports.fail(allocation, refusal.get());
            } else if (there.isPresent()) {
                reserveAgain(there.get(), allocation);
            } else {
                makeFolder(allocation);
            }
        } catch (IOException e) {
            pool.reservations().putBack(id, before);
            fail(allocation, e);
        }
    }

    private void makeFolder(Allocation allocation) throws IOException {
        pool.folders().requireRoom();
        pool.folders().make(SavedAllocation.of(allocation));
        reports.at(pool.addresses().beforeLaunch(allocation.machine()));
        reports.report(allocation, Status.RESERVED, null, null);
    }

    /** The same allocation again, perhaps with other resources, perhaps after a release that kept the volume. */
    private void reserveAgain(AllocationFolder folder, Allocation allocation) throws IOException {
        SavedAllocation before = folder.state();
        Optional<ProcessIdentity> executor = folder.executor();
        boolean runs = executor.filter(ProcessIdentity::isAlive).isPresent();
        if (runs && !pool.resizesInPlace()) {
            reports.unresized(allocation);
            return;
        }
        if (before.released() || !before.allocation().equals(allocation)) {
            folder.write(before.reserved(allocation));
        }
        if (runs) {
            String warning = before.allocation().equals(allocation)
                    ? reports.warning()
                    : pool.cgroups().limit(id, allocation.resources()).warning();
            reports.report(allocation, Status.RUNNING, null, warning);
        } else {
            reports.report(allocation, executor.isPresent() ? Status.EXITED : Status.RESERVED, null, null);
        }
    }

    private Optional<Problem> ofAnother(Allocation before, Allocation wanted) {
        return before.node().equals(wanted.node()) && before.machine().equals(wanted.machine())
                ? Optional.empty()
                : Optional.of(
                        refused("the allocation " + id + " belongs to " + before.node() + " on " + before.machine()));
    }

    void launch(Command.Launch command) throws InterruptedException {
        start(new ExecutorStart(command.allocation(), command.cassandraVersion(), command.generation(), false));
    }

    void relaunch(Command.Relaunch command) throws InterruptedException {
        start(new ExecutorStart(command.allocation(), command.cassandraVersion(), command.generation(), true));
    }

    private void start(ExecutorStart wanted) throws InterruptedException {
        Allocation allocation = wanted.allocation();
        try {
            Optional<AllocationFolder> folder = pool.folders().find(id);
            if (folder.isEmpty() || folder.get().state().released()) {
                reports.fail(
                        allocation,
                        Problem.of(
                                folder.isEmpty() ? ErrorCode.MACHINE_LOST : ErrorCode.POOL_UNAVAILABLE,
                                "the allocation " + id + " is not reserved on " + allocation.machine()
                                        + "; reserve it first"));
                return;
            }
            SavedAllocation saved = folder.get().state();
            if (wanted.again() && wanted.generation() <= saved.launched()) {
                reports.repeat();
                return;
            }
            Optional<Problem> refusal = ofAnother(saved.allocation(), allocation)
                    .or(() -> pool.reservations().tryReserve(allocation));
            if (refusal.isPresent()) {
                reports.fail(allocation, refusal.get());
                return;
            }
            if (!wanted.again() && !saved.allocation().equals(allocation)) {
                reserveAgain(folder.get(), allocation);
            }
            boolean runs =
                    folder.get().executor().filter(ProcessIdentity::isAlive).isPresent();
            if (runs && !wanted.again()) {
                reports.unresized(allocation);
            } else {
                ExecutorStart.Started started = wanted.in(folder.get(), pool, reports);
                folder.get().recordStart();
                pool.watch().start(this, started.executor(), started.child());
            }
        } catch (UnusableAuthorityException e) {
            reports.fail(allocation, refused(ThrowableText.of(e) + "; its executor would have no certificate"));
        } catch (BinariesUnavailableException e) {
            reports.fail(allocation, Problem.of(ErrorCode.BINARIES_UNAVAILABLE, ThrowableText.of(e)));
        } catch (IOException e) {
            fail(allocation, e);
        }
    }

    /** The executor reads the files again, whether it runs or not. */
    /** A door that cannot be written now says nothing about the node; the next pass tries it again. */
    void renewDoor() {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        Optional<DoorFiles> present =
                folder.isEmpty() ? Optional.empty() : folder.get().door();
        Optional<DoorFiles> renewed = present.flatMap(door -> pool.doors().renewed(id, door));
        try {
            if (renewed.isPresent()) {
                folder.get().write(renewed.get());
            }
        } catch (IOException e) {
            LOG.warn("{}: the door of its executor is not renewed: {}", id, e.toString());
        }
    }

    /** @param exitCode null if an earlier server started the executor */
    void executorEnded(ProcessIdentity executor, @Nullable Integer exitCode) throws IOException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        Optional<AllocationState> state = reports.state().filter(s -> s.status() == Status.RUNNING);
        if (state.isEmpty() || folder.isEmpty()) {
            return;
        }
        Optional<ProcessIdentity> current = folder.get().executor();
        if (current.isPresent() && !current.get().equals(executor)) {
            return;
        }
        String code = exitCode == null ? "executor ended" : "executor ended with exit code " + exitCode;
        reports.report(
                state.get().allocation(), Status.EXITED, code + folder.get().tail(), null);
    }

    void kill() throws InterruptedException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isEmpty()) {
            forget();
            return;
        }
        try {
            SavedAllocation saved = folder.get().state();
            new AllocationProcesses(folder.get()).endAndRemoveCgroups();
            reports.report(
                    saved.allocation(), saved.released() ? Status.RELEASED : Status.RESERVED, "ended on request", null);
        } catch (IOException e) {
            failKnown(e);
        }
    }

    void release(boolean destroyVolume) throws InterruptedException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isEmpty()) {
            forget();
            return;
        }
        try {
            new AllocationProcesses(folder.get()).endAndRemoveCgroups();
            if (destroyVolume) {
                pool.folders().destroy(folder.get());
                forget();
            } else {
                SavedAllocation saved = folder.get().state();
                folder.get().forgetIdentity();
                folder.get().write(saved.release());
                pool.reservations().keepVolume(saved.allocation());
                reports.report(saved.allocation(), Status.RELEASED, "volume kept", null);
            }
        } catch (IOException e) {
            failKnown(e);
        }
    }

    private void forget() {
        pool.reservations().remove(id);
        pool.reports().gone(id);
    }

    /** A command could not be carried out. */
    void fail(Allocation allocation, IOException e) {
        reports.fail(allocation, DiskFull.problem(e, pool.folders().root()));
    }

    /** A command could not be carried out, and no code expected why. */
    void failed(@Nullable Allocation wanted, Throwable cause) {
        Allocation known = reports.state().map(AllocationState::allocation).orElse(wanted);
        if (known != null) {
            reports.fail(
                    known,
                    Problem.of(ErrorCode.POOL_UNAVAILABLE, "the pool failed: " + cause, "read the server's log"));
        }
    }

    private void failKnown(IOException e) {
        reports.state().ifPresent(state -> fail(state.allocation(), e));
    }

    private static Problem refused(String message) {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, message);
    }
}
