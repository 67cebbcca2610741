package io.ringmaster.core.step;

import io.ringmaster.core.view.View;
import java.util.Map;

/**
 * A small piece of a plan. Implementations are records; {@code type} and {@code args} are persisted and make the same step again
 * after a restart, through the catalogue {@code Steps}.
 */
public interface Step {
    /** Its stable name in the store, such as {@code deploy-node}. */
    String type();

    /** Its record components as text. */
    Map<String, String> args();

    /** Its name in the plan, such as {@code dc1 node-0}. */
    String name();

    /**
     * What to do next. Asked again at each change of the view, and after a restart, until it answers {@code Done}, {@code Failed} or {@code GivenUp};
     * the same view gives the same answer.
     *
     * @param memory what this step asked to remember before; empty at first
     */
    Verdict next(View view, Map<String, String> memory);

    /**
     * Whether it may begin while steps before it still wait to begin: for what mends something broken that they may be waiting for.
     * Never two at once, whatever it says.
     */
    default boolean mayOvertake(View view) {
        return false;
    }
}
