package io.ringmaster.core.step;

import io.ringmaster.core.CommandLines;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a verdict as one line, so that tests compare text. */
public final class Verdicts {
    private Verdicts() {}

    public static String line(Verdict verdict) {
        if (verdict instanceof Verdict.Do act) {
            String commands = act.commands().stream().map(CommandLines::of).collect(Collectors.joining(", "));
            return "do " + changes(act.changes()) + "[" + commands + "]: " + act.reason();
        } else if (verdict instanceof Verdict.Wait wait) {
            return "wait: " + wait.reason();
        } else if (verdict instanceof Verdict.Done done) {
            return "done " + changes(done.changes()) + ": " + done.summary();
        } else if (verdict instanceof Verdict.Failed failed) {
            return "failed " + failed.problem().code() + ": " + failed.problem().message();
        } else if (verdict instanceof Verdict.GivenUp end) {
            return "given up " + end.problem().code() + ": " + end.problem().message();
        }
        throw new IllegalArgumentException("unknown " + verdict);
    }

    private static String changes(List<Change> changes) {
        return "{" + changes.stream().flatMap(Verdicts::change).collect(Collectors.joining(", ")) + "}";
    }

    private static Stream<String> change(Change change) {
        if (change instanceof Change.Put put && put.record() instanceof NodeRecord n) {
            return Stream.of(n.id().shortName() + " g" + n.generation() + " v" + n.specVersion() + " good"
                    + n.goodSpecVersion() + (n.joined() ? " joined" : "") + (n.launched() ? " launched" : "")
                    + (n.evacuating() ? " evacuating" : ""));
        } else if (change instanceof Change.Put put && put.record() instanceof ClusterRecord c) {
            return Stream.of(c.name() + " v" + c.targetSpecVersion() + (c.created() ? " created" : "")
                    + (c.founder() ? " founder" : "") + (c.deleting() ? " deleting" : ""));
        }
        return Stream.of("-" + change.key().path());
    }
}
