import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/** Pool, executors and peers without cost: they only queue the commands. */
final class World implements Pool, ExecutorClient, Peers {
    final Queue<Command> commands = new ArrayDeque<>();

    @Override
    public void start(FactSink facts) {}

    @Override
    public void start(FactSink facts, PoolRecords records) {}

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        commands.add(command);
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        commands.add(command);
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        commands.add(command);
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        commands.add(command);
    }

    @Override
    public void release(Command.Release command, long epoch) {
        commands.add(command);
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId allocation) {
        return Optional.empty();
    }

    @Override
    public void watch(Command.Watch command) {
        commands.add(command);
    }

    @Override
    public void apply(Command.Apply command) {
        commands.add(command);
    }

    @Override
    public void forget(Command.Forget command) {
        commands.add(command);
    }

    @Override
    public Set<DatacenterName> known() {
        return Set.of();
    }

    @Override
    public void publish(DatacenterReport own) {}

    @Override
    public void close() {}
}
