package io.ringmaster.executor.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Sends a change of parameters to a running daemon, which applies all of it or nothing. */
public final class LiveSetter {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NO_SUCH_ROUTE = 404;

    private final CompanionClient companion;

    public LiveSetter(CompanionClient companion) {
        this.companion = companion;
    }

    /** The outcome of a change. */
    public sealed interface Outcome {
        /** @param inForce the values now in force, as the daemon reports them */
        record Changed(Map<String, String> inForce) implements Outcome {
            public Changed {
                inForce = Map.copyOf(inForce);
            }
        }

        /** Nothing was changed, and a retry would not help. */
        record Refused(Problem problem) implements Outcome {}

        /** The change may or may not have happened. */
        record Unknown(String why) implements Outcome {}

        /** The daemon runs an older companion, which cannot change parameters. */
        record Unable() implements Outcome {}
    }

    public Outcome set(LiveChange change, long daemonPid) {
        try {
            CompanionClient.Answer answer =
                    companion.call(daemonPid, "POST /settings", Json.bytes(change), ANSWER_TIMEOUT);
            if (answer.status() == NO_SUCH_ROUTE) {
                return new Outcome.Unable();
            }
            if (answer.status() != OK) {
                return new Outcome.Unknown(answer.error());
            }
            JsonNode body = Json.mapper().readTree(answer.body());
            return body.has("refused")
                    ? new Outcome.Refused(problem(texts(body.path("refused"))))
                    : new Outcome.Changed(texts(body.path("settings")));
        } catch (IOException e) {
            return new Outcome.Unknown(ThrowableText.of(e));
        }
    }

    private static Problem problem(Map<String, String> refused) {
        Map.Entry<String, String> first = refused.entrySet().iterator().next();
        return new Problem(
                ErrorCode.CONFIGURATION_REJECTED,
                "cassandra_yaml." + first.getKey(),
                "was refused by the running Cassandra, which changed nothing: " + first.getValue(),
                "correct it in the spec and apply it again");
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new TreeMap<>();
        node.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
        return texts;
    }
}
