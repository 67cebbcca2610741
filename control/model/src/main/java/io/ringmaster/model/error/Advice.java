package io.ringmaster.model.error;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import java.util.ArrayList;
import java.util.List;

/**
 * The next step for the reader of a problem. Commands are values, because the program has another name in a source
 * tree, in an installed package and in a container: each client words them as its reader types them.
 *
 * @param text the sentence; each {@code {}} in it stands for the next command
 * @param commands command lines without the name of the program, such as {@code node logs rides/dc1/node-1}
 */
public record Advice(String text, List<String> commands) {
    private static final String PLACE = "{}";
    private static final String PROGRAM = "ringmaster";

    public Advice {
        commands = List.copyOf(commands);
    }

    /** A sentence without a command. */
    public static Advice of(String text) {
        return new Advice(text, List.of());
    }

    /** A command alone. */
    public static Advice command(String line) {
        return new Advice(PLACE, List.of(line));
    }

    public static Advice restartNode(NodeId node) {
        return command("node restart " + node);
    }

    public static Advice replaceNode(NodeId node) {
        return command("node replace " + node);
    }

    public static Advice nodeLogs(NodeId node) {
        return command("node logs " + node);
    }

    public static Advice listNodes(ClusterName cluster) {
        return command("node list " + cluster);
    }

    public static Advice startCluster(ClusterName cluster) {
        return command("cluster start " + cluster);
    }

    public static Advice repair(ClusterName cluster) {
        return command("repair start " + cluster);
    }

    public static Advice writeRoles(ClusterName cluster) {
        return command("cluster write-roles " + cluster);
    }

    public static Advice replicateRoles(ClusterName cluster) {
        return command("cluster replicate-roles " + cluster);
    }

    public static Advice operationStatus(ClusterName cluster) {
        return command("operation status " + cluster);
    }

    public static Advice showPlan(PlanId plan) {
        return command("plan show " + plan);
    }

    public static Advice retryPlan(PlanId plan) {
        return command("plan retry " + plan);
    }

    public static Advice abortPlan(PlanId plan) {
        return command("plan abort " + plan);
    }

    public static Advice resumePlan(PlanId plan) {
        return command("plan resume " + plan);
    }

    public Advice prefix(String before) {
        return new Advice(before + text, commands);
    }

    public Advice suffix(String behind) {
        return new Advice(text + behind, commands);
    }

    /** This advice followed by another. */
    public Advice and(String between, Advice next) {
        List<String> all = new ArrayList<>(commands);
        all.addAll(next.commands);
        return new Advice(text + between + next.text, all);
    }

    /** @param program the name of the program as the reader types it, such as {@code ./ringmaster} */
    public String wording(String program) {
        StringBuilder words = new StringBuilder();
        int from = 0;
        for (String command : commands) {
            int place = text.indexOf(PLACE, from);
            words.append(text, from, place).append(program).append(' ').append(command);
            from = place + PLACE.length();
        }
        return words.append(text, from, text.length()).toString();
    }

    /** With the name of an installed program. */
    @Override
    public String toString() {
        return wording(PROGRAM);
    }
}
