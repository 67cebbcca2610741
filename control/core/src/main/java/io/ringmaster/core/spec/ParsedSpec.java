package io.ringmaster.core.spec;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;

/** The result of parsing the text of a spec. */
public sealed interface ParsedSpec {
    record Valid(ClusterSpec spec) implements ParsedSpec {}

    /** @param problems all of them, in the order of the text */
    record Invalid(List<Problem> problems) implements ParsedSpec {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    default List<Problem> problems() {
        return this instanceof Invalid invalid ? invalid.problems() : List.of();
    }
}
