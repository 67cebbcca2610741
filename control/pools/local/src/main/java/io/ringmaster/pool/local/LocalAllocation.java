package io.ringmaster.pool.local;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
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

/** What the pool does with one allocation. Its methods are called one at a time; each ends by telling the state. */
final class LocalAllocation {
    private static final int LOG_LINES_TOLD = 3;
    private static final long FREE_DISK_MIN_BYTES = 16 << 20;

    /** The rest of the pool, as one allocation sees it. */
    interface Surroundings {
        AllocationFolders folders();

        Cgroups cgroups();

        ExecutorProgram program();

        /** Why the machine cannot hold it, or empty: then it is held from now on. */
        Optional<String> tryReserve(Allocation allocation);

        /** Whether its machine was killed; asked anew each time, so that nothing is started there in between. */
        boolean isLost(Allocation allocation);

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

    /** Takes over what a server before left. */
    void adopt(AllocationFolder folder) throws IOException {
        AllocationFolder.SavedAllocation saved = folder.state();
        if (!saved.allocation().id().equals(id)) {
            throw new IOException(folder.path() + " holds the allocation "
                    + saved.allocation().id());
        }
        Optional<ProcessIdentity> executor = folder.executor();
        if (pool.isLost(saved.allocation())) {
            fail(saved.allocation(), lost(saved.allocation()));
        } else if (executor.isPresent() && executor.get().isAlive()) {
            tell(saved.allocation(), Status.RUNNING, "executor adopted", warning(folder, executor.get()));
            pool.watch(this, executor.get(), null);
        } else if (executor.isPresent()) {
            tell(saved.allocation(), Status.EXITED, "executor ended while no server watched" + tail(folder), null);
        } else {
            state = new AllocationState(
                    saved.allocation(),
                    saved.released() ? Status.RELEASED : Status.RESERVED,
                    saved.since(),
                    null,
                    null);
            pool.changed(state);
        }
        if (!saved.released()) {
            pool.tryReserve(saved.allocation());
        }
    }

    void reserve(Allocation allocation) {
        Optional<AllocationFolder> there = pool.folders().find(id);
        Optional<String> refusal = pool.tryReserve(allocation);
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
            fail(allocation, DiskFull.explain(e, pool.folders().root()));
        }
    }

    private void makeFolder(Allocation allocation) throws IOException {
        long free = Files.getFileStore(pool.folders().root()).getUsableSpace();
        if (free < FREE_DISK_MIN_BYTES) {
            throw DiskFull.of(pool.folders().root(), free);
        }
        pool.folders().make(new AllocationFolder.SavedAllocation(allocation, false, Instant.now()));
        tell(allocation, Status.RESERVED, null, null);
    }

    /** The same claim again, perhaps with other resources, perhaps after a release that kept the volume. */
    private void reserveAgain(AllocationFolder folder, Allocation allocation) throws IOException {
        AllocationFolder.SavedAllocation before = folder.state();
        if (!before.allocation().node().equals(allocation.node())
                || !before.allocation().machine().equals(allocation.machine())) {
            fail(
                    allocation,
                    "the allocation " + id + " belongs to "
                            + before.allocation().node() + " on "
                            + before.allocation().machine());
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
            tell(allocation, Status.RUNNING, null, warning);
        } else {
            tell(allocation, executor.isPresent() ? Status.EXITED : Status.RESERVED, null, null);
        }
    }

    void launch(Command.Launch command) throws InterruptedException {
        Allocation allocation = command.allocation();
        Optional<AllocationFolder> folder = pool.folders().find(id);
        try {
            if (folder.isEmpty() || folder.get().state().released()) {
                fail(
                        allocation,
                        "the allocation " + id + " is not reserved on " + allocation.machine() + "; reserve it first");
                return;
            }
            Optional<String> refusal = pool.tryReserve(allocation);
            if (refusal.isPresent()) {
                fail(allocation, refusal.get());
                return;
            }
            if (!folder.get().state().allocation().equals(allocation)) {
                reserveAgain(folder.get(), allocation);
            }
            Optional<ProcessIdentity> running = folder.get().executor().filter(ProcessIdentity::isAlive);
            if (running.isPresent()) {
                tell(allocation, Status.RUNNING, null, state == null ? null : state.warning());
                return;
            }
            start(folder.get(), command);
        } catch (BinariesUnavailableException e) {
            fail(allocation, ErrorCode.BINARIES_UNAVAILABLE + ": " + e.getMessage());
        } catch (IOException e) {
            fail(allocation, DiskFull.explain(e, pool.folders().root()));
        }
    }

    private void start(AllocationFolder folder, Command.Launch command)
            throws IOException, BinariesUnavailableException, InterruptedException {
        Allocation allocation = command.allocation();
        tell(allocation, Status.LAUNCHING, "brings the binaries", null);
        List<String> line = pool.program()
                .command(folder.path(), command.target(), detail -> tell(allocation, Status.LAUNCHING, detail, null));
        tell(allocation, Status.LAUNCHING, "starts the executor", null);
        folder.writeTarget(command.target());
        Cgroups.Limits limits = pool.cgroups().limit(id, allocation.resources());
        folder.writeCgroups(limits.directories());
        Process child = new AllocationProcesses(folder).start(line, limits.directories());
        ProcessIdentity executor = folder.executor()
                .orElseThrow(() -> new IOException("the executor could not be started" + tail(folder)));
        tell(allocation, Status.RUNNING, null, limits.warning());
        pool.watch(this, executor, child);
    }

    /** @param exitCode null when it was no child of this server */
    void executorEnded(ProcessIdentity executor, @Nullable Integer exitCode) throws IOException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (state == null || folder.isEmpty() || state.status() != Status.RUNNING) {
            return;
        }
        Optional<ProcessIdentity> current = folder.get().executor();
        if (current.isPresent() && !current.get().equals(executor)) {
            return;
        }
        if (pool.isLost(state.allocation())) {
            fail(state.allocation(), lost(state.allocation()));
            return;
        }
        String code = exitCode == null ? "executor ended" : "executor ended with exit code " + exitCode;
        tell(state.allocation(), Status.EXITED, code + tail(folder.get()), null);
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
            tell(saved.allocation(), saved.released() ? Status.RELEASED : Status.RESERVED, "ended as asked", null);
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
                pool.unreserve(id);
                tell(saved.allocation(), Status.RELEASED, "volume kept", null);
            }
        } catch (IOException e) {
            failKnown(e);
        }
    }

    /** Ends what runs at once, as when the machine is switched off; keeps everything on disk. */
    void loseMachine() throws InterruptedException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isEmpty() || state == null) {
            return;
        }
        try {
            new AllocationProcesses(folder.get()).endAtOnce();
            fail(state.allocation(), lost(state.allocation()));
        } catch (IOException e) {
            failKnown(e);
        }
    }

    /** Shows what is there, so that the controller launches again what shall run. */
    void regainMachine() throws IOException {
        Optional<AllocationFolder> folder = pool.folders().find(id);
        if (folder.isPresent() && state != null) {
            AllocationFolder.SavedAllocation saved = folder.get().state();
            tell(saved.allocation(), saved.released() ? Status.RELEASED : Status.RESERVED, "its machine is back", null);
        }
    }

    static String lost(Allocation allocation) {
        return ErrorCode.MACHINE_LOST + ": " + allocation.machine() + " is gone, and what ran there with it";
    }

    private void forget() {
        state = null;
        pool.unreserve(id);
        pool.gone(id);
    }

    private void failKnown(IOException e) {
        if (state != null) {
            fail(state.allocation(), DiskFull.explain(e, pool.folders().root()));
        }
    }

    private void fail(Allocation allocation, String reason) {
        tell(allocation, Status.FAILED, reason, null);
    }

    private void tell(Allocation allocation, Status status, @Nullable String detail, @Nullable String warning) {
        boolean same = state != null && state.status() == status && status != Status.FAILED;
        state = new AllocationState(
                allocation, status, same && state != null ? state.since() : Instant.now(), detail, warning);
        pool.changed(state);
    }

    private static @Nullable String warning(AllocationFolder folder, ProcessIdentity executor) throws IOException {
        List<Path> cgroups = folder.cgroups();
        return !cgroups.isEmpty() && Cgroups.processes(cgroups).contains(executor.pid())
                ? null
                : "limits not in force: it was started without";
    }

    private static String tail(AllocationFolder folder) {
        String tail = folder.logTail(LOG_LINES_TOLD);
        return tail.isEmpty() ? "" : ": " + tail;
    }
}
