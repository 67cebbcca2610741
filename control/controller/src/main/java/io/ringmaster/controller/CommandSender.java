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
 * Sends what is wanted, and the same again only after a pause that doubles each time, up to a minute. Two quiet minutes begin the
 * count anew: then a relaunch after a long healthy time happens at once, and one after another crash waits longer and longer.
 */
final class CommandSender {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(2);

    private final Pool pool;
    private final ExecutorClient agent;
    private final Map<Command, Sent> sent = new HashMap<>();

    CommandSender(Pool pool, ExecutorClient agent) {
        this.pool = pool;
        this.agent = agent;
    }

    private record Sent(Instant at, Duration pause) {}

    /** Another leader may have sent since: everything is due again. */
    void clear() {
        sent.clear();
    }

    /** What was not wanted for long begins anew when it is wanted again. */
    void forget(Instant now) {
        sent.values().removeIf(s -> s.at().plus(FORGOTTEN_AFTER).isBefore(now));
    }

    /** Those of the wanted commands that are sent now. */
    List<Command> due(Collection<Command> wanted, Instant now) {
        return wanted.stream()
                .filter(c -> {
                    Sent before = sent.get(c);
                    return before == null || !now.isBefore(before.at().plus(before.pause()));
                })
                .toList();
    }

    void send(Collection<Command> due, Instant now) {
        for (Command command : due) {
            Sent before = sent.get(command);
            Duration pause = before == null ? FIRST_PAUSE : before.pause().multipliedBy(2);
            sent.put(command, new Sent(now, pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause));
            dispatch(command);
        }
    }

    private void dispatch(Command command) {
        if (command instanceof Command.Reserve reserve) {
            pool.reserve(reserve);
        } else if (command instanceof Command.Launch launch) {
            pool.launch(launch);
        } else if (command instanceof Command.Kill kill) {
            pool.kill(kill);
        } else if (command instanceof Command.Release release) {
            pool.release(release);
        } else if (command instanceof Command.Apply apply) {
            agent.apply(apply);
        } else if (command instanceof Command.Watch watch) {
            agent.watch(watch);
        } else if (command instanceof Command.Forget forget) {
            agent.forget(forget);
        }
    }
}
