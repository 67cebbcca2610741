package io.ringmaster.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.Steps;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.StepState;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Digests of drafted plans. Two drafts have one digest if they do the same: ids, times and amounts of data differ
 * between a dry run and the request that follows it, because time passes and clients write.
 */
public final class PlanDigests {
    private static final int BYTES = 16;
    private static final Pattern AMOUNT = Pattern.compile("\\d+(\\.\\d)? [KMGTP]?i?B\\b");
    /** A time, or the id of a backup, which starts with one. */
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-?\\d{2}-?\\d{2}T[0-9:.]+Z(-[0-9a-f]{4})?");

    private PlanDigests() {}

    /** @param plans the drafts of all datacenters, in any order */
    public static PlanDigest of(Collection<Plan> plans) {
        List<String> texts = plans.stream()
                .sorted(Comparator.comparing(Plan::id))
                .map(PlanDigests::text)
                .toList();
        return new PlanDigest(HexFormat.of().formatHex(sha256(texts.toString()), 0, BYTES));
    }

    /** The refusal of a request whose plans are no longer those that the user saw. */
    public static Problem changed(ClusterName cluster) {
        return Problem.of(
                ErrorCode.PLAN_CHANGED,
                "the plans of " + cluster + " are no longer those of the dry run; nothing was changed",
                "look at the plans of a new dry run, then decide");
    }

    private static String text(Plan plan) {
        List<Object> parts = List.of(
                plan.id().datacenter(),
                plan.cluster(),
                plan.operation(),
                withoutTimes(plan.params()),
                plan.specVersion(),
                plan.phases().stream().map(PlanDigests::text).toList(),
                plan.notes().stream()
                        .map(n -> AMOUNT.matcher(n).replaceAll("amount"))
                        .toList());
        return parts.toString();
    }

    private static String text(Phase phase) {
        return phase.name() + " " + phase.strategy()
                + phase.steps().stream().map(PlanDigests::text).toList();
    }

    private static String text(StepState step) {
        // its only argument is the id of the request
        Map<String, String> args = Steps.is(step, AcquireLock.class) ? Map.of() : step.args();
        List<Object> parts = List.of(
                step.name(),
                step.type(),
                withoutTimes(args),
                Objects.requireNonNullElse(step.reason(), ""),
                step.change() == null ? "" : step.change());
        return parts.toString();
    }

    private static String withoutTimes(Map<String, String> values) {
        return INSTANT.matcher(new TreeMap<>(values).toString()).replaceAll("time");
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
