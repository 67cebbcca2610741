package io.ringmaster.core.decide;

import io.ringmaster.model.error.Problem;
import java.util.List;
import java.util.function.Function;

/** The immediate answer to a request. A refusal changed nothing. */
public sealed interface Answer<T> {
    record Accepted<T>(T value) implements Answer<T> {}

    /** @param problems at least one, each naming the cause and the next step */
    record Refused<T>(List<Problem> problems) implements Answer<T> {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** Maps an accepted value to the next answer; a refusal stays a refusal. */
    default <U> Answer<U> then(Function<T, Answer<U>> next) {
        if (this instanceof Accepted<T> accepted) {
            return next.apply(accepted.value());
        }
        return new Refused<>(((Refused<T>) this).problems());
    }

    static <T> Answer<T> accepted(T value) {
        return new Accepted<>(value);
    }

    static <T> Answer<T> refused(Problem problem) {
        return new Refused<>(List.of(problem));
    }

    static <T> Answer<T> refused(List<Problem> problems) {
        return new Refused<>(problems);
    }
}
