package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import io.ringmaster.ports.DoorFiles;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One start of an executor in its allocation.
 *
 * @param again whether what runs in the allocation ends first
 */
record ExecutorStart(Allocation allocation, String cassandraVersion, long generation, boolean again) {
    record Started(ProcessIdentity executor, Process child) {}

    /** What runs ends as late as possible: after everything for the next run is there. */
    Started in(AllocationFolder folder, Surroundings pool, AllocationReports reports)
            throws IOException, BinariesUnavailableException, InterruptedException {
        AllocationProcesses processes = new AllocationProcesses(folder);
        reports.launching(allocation, "fetches the binaries");
        String address = address(processes, pool, reports);
        Optional<DoorFiles> door = pool.doors().forLaunch(allocation.id(), folder.hasDoor());
        List<String> line = pool.program()
                .command(
                        new ExecutorProgram.Start(
                                folder.path(),
                                allocation.node(),
                                cassandraVersion,
                                address,
                                allocation.ports().executor(),
                                generation,
                                door.isPresent()),
                        detail -> reports.launching(allocation, detail));
        if (again) {
            // a node that serves on a full disk would not come back
            pool.folders().requireRoom();
            reports.launching(allocation, "ends what runs, to launch it again");
            processes.endAndRemoveCgroups();
        }
        // no executor runs now; the pid of an ended one beside this launch would read as one that was carried out
        DurableFiles.delete(folder.executorPid());
        pool.folders().renewToken(folder);
        if (door.isPresent()) {
            folder.write(door.get());
        }
        folder.write(folder.state().launching(allocation, address, generation));
        reports.at(address);
        reports.launching(allocation, "starts the executor");
        Cgroups.Limits limits = pool.cgroups().limit(allocation.id(), allocation.resources());
        folder.writeCgroups(limits.directories());
        Process child = processes.start(line, limits.directories());
        ProcessIdentity executor = folder.executor()
                .orElseThrow(() -> new IOException("the executor could not be started" + folder.tail()));
        reports.report(allocation, Status.RUNNING, null, limits.warning());
        return new Started(executor, child);
    }

    /** A daemon that has outlived its executor keeps its address. */
    private String address(AllocationProcesses processes, Surroundings pool, AllocationReports reports) {
        String last = reports.address();
        if (!again && last != null && !processes.all().isEmpty()) {
            return last;
        }
        Set<String> held = pool.reports().states().stream()
                .filter(s -> s.allocation().machine().equals(allocation.machine()))
                .filter(s -> !s.id().equals(allocation.id()))
                .map(AllocationState::address)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(HashSet::new));
        if (last != null) {
            held.add(last);
        }
        return pool.addresses().next(allocation.machine(), held);
    }
}
