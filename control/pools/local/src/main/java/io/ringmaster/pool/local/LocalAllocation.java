package io.ringmaster.pool.local;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One allocation of the pool. Methods are called one at a time; each ends with a report of the new state. */
final class LocalAllocation {
    /** Lines of the executor's log in the report of its end. */
    private static final int LOG_LINES_REPORTED = 3;

    private static final long MIN_FREE_DISK_BYTES = 16 << 20;

    /** What an allocation needs of its pool. */
    interface Surroundings {
        AllocationFolders folders();

        Cgroups cgroups();

        ExecutorProgram program();

        /** Reserves CPU, memory, disk and ports; returns the obstacle if the machine cannot hold the allocation. */
        /** Counts an allocation that is there, whether it fits or not. */
        void adopted(Allocation allocation);

        Optional<Problem> tryReserve(Allocation allocation);

        /** Frees CPU, memory and ports; the volume still takes its disk space. */
        void keepVolume(Allocation released);

        /** Frees everything. */
        void unreserve(AllocationId id);

        void changed(AllocationState state);

        void gone(AllocationId id);

        /** Calls {@link LocalAllocation#executorEnded} when the executor has ended. */
        void watch(LocalAllocation allocation, ProcessIdentity executor, @Nullable Process child);
    }

    private final AllocationId id;
    private final Surroundings pool;
    private @Nullable AllocationState state;

    LocalAllocation(AllocationId id, Surroundings pool) {
        this.id = id;
        this.pool = pool;
    }

    AllocationId id() {
        return id;
    }

    /** Takes over an allocation of an earlier server. */
    void adopt(AllocationFolder folder) throws IOException {
        AllocationFolder.SavedAllocation saved = folder.state();
        if (!saved.allocation().id().equals(id)) {
            throw new IOException(folder.path() + " holds the allocation "
                    + saved.allocation().id());
        }
        Optional<ProcessIdentity> executor = folder.executor();
        if (executor.isPresent() && executor.get().isAlive()) {
            report(saved.allocation(), Status.RUNNING, "executor adopted", warning(folder, executor.get()));
            pool.watch(this, executor.get(), null);
        } else if (executor.isPresent()) {
            report(saved.allocation(), Status.EXITED, "executor ended while no server ran" + tail(folder), null);
        } else {
            report(new AllocationState(
                    saved.allocation(),
                    saved.released() ? Status.RELEASED : Status.RESERVED,
                    saved.since(),
                    null,
                    null));
        }
        if (saved.released()) {
            pool.keepVolume(saved.allocation());
        } else {
            pool.adopted(saved.allocation());
        }
    }

    void reserve(Allocation allocation) {
        Optional<AllocationFolder> there = pool.folders().find(id);
        Optional<Problem> refusal = pool.tryReserve(allocation);
        if (refusal.isPresent()) {
            fail(allocation, refusal.get());
            return;
        }
        try {
            if (there.isPresent()) {
                reserveAgain(there.get(), allocation);
            } else {
                makeFolder(allocation);
            }
        } catch (IOException e) {
            if (there.isEmpty()) {
                pool.unreserve(id);
            }
            fail(allocation, DiskFull.problem(e, pool.folders().root()));
        }
    }

    private void makeFolder(Allocation allocation) throws IOException {
        long free = Files.getFileStore(pool.folders().root()).getUsableSpace();
        if (free < MIN_FREE_DISK_BYTES) {
            throw DiskFull.of(pool.folders().root(), free);
        }
        pool.folders().make(new AllocationFolder.SavedAllocation(allocation, false, Instant.now()));
        report(allocation, Status.RESERVED, null, null);
    }

    /** The same allocation again, perhaps with other resources, perhaps after a release that kept the volume. */
    private void reserveAgain(AllocationFolder folder, Allocation allocation) throws IOException {
        AllocationFolder.SavedAllocation before = folder.state();
        if (!before.allocation().node().equals(allocation.node())
                || !before.allocation().machine().equals(allocation.machine())) {
            fail(
                    allocation,
                    refused("the allocation " + id + " belongs to "
                            + before.allocation().node() + " on "
                            + before.allocation().machine()));
            return;
        }
        if (before.released() || !before.allocation().equals(allocation)) {
            folder.write(new AllocationFolder.SavedAllocation(allocation, false, Instant.now()));
        }
        Optional<ProcessIdentity> executor = folder.executor();
        if (executor.isPresent() && executor.get().isAlive()) {
            String warning = before.allocation().equals(allocation) && state != null
                    ? state.warning()
                    : pool.cgroups().limit(id, allocation.resources()).warning();
            report(allocation, Status.RUNNING, null, warning);
        } else {
            report(allocation, executor.isPresent() ? Status.EXITED : Status.RESERVED, null, null);
        }
    }

    void launch(Command.Launch command) throws InterruptedException {
        Allocation allocation = command.allocation();
        Optional<AllocationFolder> folder = pool.folders().find(id);
        try {
            if (folder.isEmpty() || folder.get().state().released()) {
                fail(
                        allocation,
                        refused("the allocation " + id + " is not reserved on " + allocation.machine()
                                + "; reserve it first"));
                return;
            }
            Optional<Problem> refusal = pool.tryReserve(allocation);
            if (refusal.isPresent()) {
                fail(allocation, refusal.get());
                return;
            }
            if (!folder.get().state().allocation().equals(allocation)) {
                reserveAgain(folder.get(), allocation);
            }
            Optional<ProcessIdentity> running = folder.get().executor().filter(ProcessIdentity::isAlive);
            if (running.isPresent()) {
                report(allocation, Status.RUNNING, null, state == null ? null : state.warning());
                return;
            }
            start(folder.get(), command);
        } catch (BinariesUnavailableException e) {
            fail(allocation, Problem.of(ErrorCode.BINARIES_UNAVAILABLE, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            fail(allocation, DiskFull.problem(e, pool.folders().root()));
        }
    }

    private void start(AllocationFolder folder, Command.Launch command)
            throws IOException, BinariesUnavailableException, InterruptedException {
        Allocation allocation = command.allocation();
        report(allocation, Status.LAUNCHING, "fetches the binaries", null);
        List<String> line = pool.program()
                .command(folder.path(), command.target(), detail -> report(allocation, Status.LAUNCHING, detail, null));
        report(allocation, Status.LAUNCHING, "starts the executor", null);
        folder.writeTarget(command.target());
        Cgroups.Limits limits = pool.cgroups().limit(id, allocation.resources());
        folder.writeCgroups(limits.directories());
        Process child = new AllocationProcesses(folder).start(line, limits.directories());
        ProcessIdentity executor = folder.executor()
                .orElseThrow(() -> new IOException("the executor could not be started" + tail(folder)));
        report(allocation, Status.RUNNING, null, limits.warning());
        pool.watch(this, executor, child);
    }

    /** @param exitCode null if an earlier server started the executor */
    void executorEnded(ProcessIdentity executor, @Nullable Integer exitCode) throws IOException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (state == null || folder.isEmpty() || state.status() != Status.RUNNING) {
            return;
        }
        Optional<ProcessIdentity> current = folder.get().executor();
        if (current.isPresent() && !current.get().equals(executor)) {
            return;
        }
        String code = exitCode == null ? "executor ended" : "executor ended with exit code " + exitCode;
        report(state.allocation(), Status.EXITED, code + tail(folder.get()), null);
    }

    void kill() throws InterruptedException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isEmpty()) {
            forget();
            return;
        }
        try {
            AllocationFolder.SavedAllocation saved = folder.get().state();
            endProcesses(folder.get());
            report(saved.allocation(), saved.released() ? Status.RELEASED : Status.RESERVED, "ended on request", null);
        } catch (IOException e) {
            failKnown(e);
        }
    }

    private void endProcesses(AllocationFolder folder) throws IOException, InterruptedException {
        new AllocationProcesses(folder).end();
        Cgroups.remove(folder.cgroups());
    }

    void release(boolean destroyVolume) throws InterruptedException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isEmpty()) {
            forget();
            return;
        }
        try {
            if (destroyVolume) {
                endProcesses(folder.get());
                pool.folders().destroy(folder.get());
                forget();
            } else {
                AllocationFolder.SavedAllocation saved = folder.get().state();
                endProcesses(folder.get());
                folder.get().write(new AllocationFolder.SavedAllocation(saved.allocation(), true, Instant.now()));
                pool.keepVolume(saved.allocation());
                report(saved.allocation(), Status.RELEASED, "volume kept", null);
            }
        } catch (IOException e) {
            failKnown(e);
        }
    }

    private void forget() {
        state = null;
        pool.unreserve(id);
        pool.gone(id);
    }

    private void failKnown(IOException e) {
        if (state != null) {
            fail(state.allocation(), DiskFull.problem(e, pool.folders().root()));
        }
    }

    private void fail(Allocation allocation, Problem problem) {
        report(AllocationState.failed(allocation, Instant.now(), problem));
    }

    private static Problem refused(String message) {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, message);
    }

    private void report(Allocation allocation, Status status, @Nullable String detail, @Nullable String warning) {
        Instant since = state != null && state.status() == status ? state.since() : Instant.now();
        report(new AllocationState(allocation, status, since, detail, warning));
    }

    private void report(AllocationState next) {
        state = next;
        pool.changed(next);
    }

    private static @Nullable String warning(AllocationFolder folder, ProcessIdentity executor) throws IOException {
        List<Path> cgroups = folder.cgroups();
        return !cgroups.isEmpty() && Cgroups.processes(cgroups).contains(executor.pid())
                ? null
                : "limits not in force: the executor was started without them";
    }

    private static String tail(AllocationFolder folder) {
        String tail = folder.logTail(LOG_LINES_REPORTED);
        return tail.isEmpty() ? "" : ": " + tail;
    }
}
