import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/** Ports of the controller without cost: keeps records in memory and commands in a queue. */
final class World implements Store, Pool, ExecutorClient, Peers {
    private final TreeMap<String, StoredRecord> records = new TreeMap<>();
    final Queue<Command> commands = new ArrayDeque<>();

    @Override
    public Collection<StoredRecord> load() {
        return List.copyOf(records.values());
    }

    @Override
    public void commit(long epoch, List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                records.put(put.key().path(), put.record());
            } else {
                records.remove(change.key().path());
            }
        }
    }

    @Override
    public void start(FactSink facts) {}

    @Override
    public void reserve(Command.Reserve command) {
        commands.add(command);
    }

    @Override
    public void launch(Command.Launch command) {
        commands.add(command);
    }

    @Override
    public void kill(Command.Kill command) {
        commands.add(command);
    }

    @Override
    public void release(Command.Release command) {
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
