package io.ringmaster.simulator.world;

import io.ringmaster.model.node.NodeTask;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.ledger.Share;
import java.util.Set;

/**
 * The tasks and joins that fail before the faults stop. They have random numbers of their own, so that a history
 * without a failure stays as it is.
 */
public final class BrokenWork {
    private static final double FAILED_REPAIRS = 0.3;
    private static final double FAILED_WORK = 0.2;
    private static final double IN_THE_MIDDLE = 0.5;
    private static final Set<NodeTask.Kind> REPAIRS = Set.of(NodeTask.Kind.REPAIR);
    private static final Set<NodeTask.Kind> ALL = Set.of(NodeTask.Kind.values());

    private final SeededRandom random;
    private final Set<NodeTask.Kind> failing;
    private final double probability;
    private final double inTheMiddle;

    private BrokenWork(SeededRandom random, Set<NodeTask.Kind> failing, double probability, double inTheMiddle) {
        this.random = random;
        this.failing = failing;
        this.probability = probability;
        this.inTheMiddle = inTheMiddle;
    }

    /** Nothing fails. */
    static BrokenWork none() {
        return new BrokenWork(new SeededRandom(0), Set.of(), 0, 0);
    }

    /** Some repairs do nothing and fail. */
    public static BrokenWork repairs(SeededRandom random) {
        return new BrokenWork(random, REPAIRS, FAILED_REPAIRS, 0);
    }

    /** Tasks of every kind and joins fail, half of them in the middle. */
    public static BrokenWork ofEveryKind(SeededRandom random) {
        return new BrokenWork(random, ALL, FAILED_WORK, IN_THE_MIDDLE);
    }

    /** How much the task does that starts now; it fails if that is not all. */
    Share task(NodeTask.Kind kind) {
        return failing.contains(kind) ? share() : Share.ALL;
    }

    /** How much the node streams that bootstraps now; its daemon exits if that is not all. */
    Share join() {
        return failing == ALL ? share() : Share.ALL;
    }

    private Share share() {
        if (!random.chance(probability)) {
            return Share.ALL;
        }
        return inTheMiddle > 0 && random.chance(inTheMiddle) ? Share.HALF : Share.NONE;
    }
}
