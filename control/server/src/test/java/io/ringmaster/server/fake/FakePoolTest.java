package io.ringmaster.server.fake;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import io.ringmaster.ports.SampleRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The pool of the server's tests keeps the contract. */
public class FakePoolTest extends PoolContract {
    /** No other test listens on this address. */
    private static final Machine MACHINE = new Machine(
            SampleRecords.allocation().machine(),
            SampleRecords.R1,
            "127.92.1.1",
            4000,
            4L << 30,
            40L << 30,
            new PortRange(7000, 9999),
            false);

    private final FakePool pool = new FakePool(List.of(MACHINE), new FakeRing());

    /** The contents of the volumes; the pool knows only which volumes exist. */
    private final Map<AllocationId, String> contents = new TreeMap<>();

    @Override
    protected Pool open() {
        return pool;
    }

    @Override
    protected Allocation allocation(int index) {
        return new Allocation(
                new AllocationId("rides-dc1-node-" + index + "-1"),
                new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index),
                MACHINE.name(),
                new NodePorts(7000 + index, 7100 + index, 9042 + index, 9500 + index),
                SampleRecords.RESOURCES);
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return Optional.ofNullable(pool.executor(allocation.id())).map(FakeExecutor::toString);
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        pool.crash(allocation.id());
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        contents.put(allocation.id(), text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return Optional.ofNullable(contents.get(allocation.id())).filter(t -> pool.hasVolume(allocation.id()));
    }
}
