package io.ringmaster.pool.local;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

public class LocalPoolTest extends PoolContract {
    @TempDir
    protected Path state;

    /** Executors without doors. */
    public static final Doors PLAIN = new Doors(new FakeAuthorities(SampleRecords.DC1), false, Instant::now);

    static Machine machine(int number) {
        return new Machine(
                new MachineName("machine-" + number),
                SampleRecords.R1,
                "127.1.9." + number,
                4_000,
                4L << 30,
                40L << 30,
                new PortRange(7000, 9999),
                false);
    }

    static Allocation allocationOn(Machine machine, int index) {
        return new Allocation(
                new AllocationId("rides-dc1-node-" + index + "-1"),
                new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index),
                machine.name(),
                new NodePorts(7000 + index, 7100 + index, 9042 + index, 9500 + index),
                SampleRecords.RESOURCES);
    }

    static LocalPoolSettings settings(Path state, ExecutorProgram program) {
        return new LocalPoolSettings(state, List.of(machine(1)), program, Addresses.MACHINE, PLAIN, false);
    }

    Addresses addresses() {
        return Addresses.MACHINE;
    }

    Doors doors() {
        return PLAIN;
    }

    @Override
    protected Pool open() {
        return new LocalPool(new LocalPoolSettings(
                state, List.of(machine(1), machine(2)), StandInExecutor.WITH_DAEMON, addresses(), doors(), false));
    }

    @Override
    protected Allocation allocation(int index) {
        return allocationOn(machine(1), index);
    }

    final AllocationFolder folder(Allocation allocation) {
        return new AllocationFolder(
                state.resolve("allocations").resolve(allocation.id().value()));
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        try {
            return folder(allocation)
                    .executor()
                    .filter(ProcessIdentity::isAlive)
                    .map(ProcessIdentity::toString);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        try {
            ProcessIdentity executor = folder(allocation).executor().orElseThrow();
            ProcessHandle.of(executor.pid()).orElseThrow().destroyForcibly();
            Waiting.until("the killed executor ends", () -> !executor.isAlive());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        try {
            Files.writeString(folder(allocation).volume().resolve("data"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        try {
            return Optional.of(Files.readString(folder(allocation).volume().resolve("data")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
