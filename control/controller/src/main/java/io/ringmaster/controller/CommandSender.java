package io.ringmaster.controller;

import io.ringmaster.model.command.Command;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends the wanted commands, and repeats the same one after a pause that doubles each time, up to a minute. The pause
 * starts from the beginning after two minutes without the command: a relaunch after a long healthy time happens at
 * once, one after the next crash waits longer each time.
 */
final class CommandSender {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(2);

    private final Pool pool;
    private final ExecutorClient executors;
    private final Map<Command, Sent> sent = new HashMap<>();

    CommandSender(Pool pool, ExecutorClient executors) {
        this.pool = pool;
        this.executors = executors;
    }

    private record Sent(Instant at, Duration pause) {}

    /** Makes every command due: another leader may have sent others since. */
    void clear() {
        sent.clear();
    }

    /** Forgets the pauses of commands that were not wanted for long. */
    void forget(Instant now) {
        sent.values().removeIf(s -> s.at().plus(FORGOTTEN_AFTER).isBefore(now));
    }

    /** The wanted commands that are not in a pause. */
    List<Command> due(Collection<Command> wanted, Instant now) {
        return wanted.stream()
                .filter(c -> {
                    Sent before = sent.get(c);
                    return before == null || !now.isBefore(before.at().plus(before.pause()));
                })
                .toList();
    }

    /** @param epoch of this leader, by which a pool refuses commands that are late */
    void send(Collection<Command> due, Instant now, long epoch) {
        Command.Handler adapters = new Adapters(pool, executors, epoch);
        for (Command command : due) {
            Sent before = sent.get(command);
            Duration pause = before == null ? FIRST_PAUSE : before.pause().multipliedBy(2);
            sent.put(command, new Sent(now, pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause));
            command.accept(adapters);
        }
    }

    private record Adapters(Pool pool, ExecutorClient executors, long epoch) implements Command.Handler {
        @Override
        public void reserve(Command.Reserve command) {
            pool.reserve(command, epoch);
        }

        @Override
        public void launch(Command.Launch command) {
            pool.launch(command, epoch);
        }

        @Override
        public void relaunch(Command.Relaunch command) {
            pool.relaunch(command, epoch);
        }

        @Override
        public void kill(Command.Kill command) {
            pool.kill(command, epoch);
        }

        @Override
        public void release(Command.Release command) {
            pool.release(command, epoch);
        }

        @Override
        public void apply(Command.Apply command) {
            executors.apply(command);
        }

        @Override
        public void watch(Command.Watch command) {
            executors.watch(command);
        }

        @Override
        public void forget(Command.Forget command) {
            executors.forget(command);
        }

        @Override
        public void makeAuthority(Command.MakeAuthority command) {
            executors.makeAuthority(command);
        }

        @Override
        public void certify(Command.Certify command) {
            executors.certify(command);
        }
    }
}
