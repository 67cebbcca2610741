package io.ringmaster.core.lint;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.util.List;
import java.util.function.Function;

/**
 * Finds what no plan may contain. An operation that drafts such a plan has a bug, and its plan is refused. A new
 * rule is one method and one line here.
 */
public final class PlanLint {
    /**
     * A rule that every plan follows.
     *
     * @param why what would go wrong otherwise
     * @param findings the violations in a plan, one line each
     */
    record Rule(String name, String why, Function<PlanDraft, List<String>> findings) {}

    static final List<Rule> RULES = List.of(
            new Rule(
                    "known-steps",
                    "a step that cannot be made again after a restart would stop the plan",
                    StepRules::knownSteps),
            new Rule("distinct-steps", "a step is retried and forced by its name", StepRules::distinctSteps),
            new Rule("no-empty-phase", "a phase without steps does not say what is done", StepRules::noEmptyPhase),
            new Rule(
                    "one-node-at-a-time",
                    "replicas of the same data would be down together",
                    StepRules::oneNodeAtATime),
            new Rule(
                    "volume-kept",
                    "data is destroyed only when the user asks for it explicitly",
                    StepRules::volumeKept),
            new Rule("verified", "a deploy counts once every node is seen NORMAL", StepRules::verified),
            new Rule(
                    "spec-stored",
                    "a restarted server could not derive what the plan applies",
                    RecordRules::specStored),
            new Rule(
                    "distinct-places",
                    "two nodes would use one volume or listen on one port",
                    RecordRules::distinctPlaces),
            new Rule("distinct-tokens", "two nodes would own one token", RecordRules::distinctTokens),
            new Rule("place-kept", "a node with data would come up without it", RecordRules::placeKept),
            new Rule(
                    "created-kept",
                    "nodes would join without bootstrap and hide acknowledged writes",
                    RecordRules::createdKept),
            new Rule(
                    "generation-grows",
                    "an executor refuses a target that is older than the one it has",
                    RecordRules::generationGrows),
            new Rule(
                    "seeds-placed",
                    "the first nodes would wait for seeds that are never started",
                    RecordRules::seedsPlaced));

    private PlanLint() {}

    /** All violations in a plan, with the code {@code PLAN_UNSAFE}; empty if the plan may be stored. */
    public static List<Problem> problems(PlanDraft plan) {
        return RULES.stream()
                .flatMap(rule -> rule.findings().apply(plan).stream()
                        .map(finding -> Problem.of(
                                ErrorCode.PLAN_UNSAFE,
                                rule.name() + ": " + finding + " (" + rule.why() + ")",
                                "report this as a bug of Ringmaster; nothing was changed")))
                .toList();
    }
}
