package io.ringmaster.engine.memtable;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one memtable's switch. Flush reasons request it, and the switch decides it once: a later request of a
 * thread that still saw the memtable as the current one changes nothing, because the next memtable may share the store.
 */
final class SwitchDecision {
    private @Nullable SwitchOutcome outcome;
    private boolean isFinal;

    /** The requested or decided outcome, or null if there is none yet. */
    synchronized @Nullable SwitchOutcome outcome() {
        return outcome;
    }

    /** Has no effect after the decision. */
    synchronized void request(SwitchOutcome required) {
        if (!isFinal) {
            outcome = SwitchOutcome.max(outcome, required);
        }
    }

    /** Returns the first decision. */
    synchronized SwitchOutcome decide(SwitchOutcome decided) {
        SwitchOutcome first = outcome;
        if (isFinal && first != null) {
            return first;
        }
        isFinal = true;
        outcome = decided;
        return decided;
    }
}
