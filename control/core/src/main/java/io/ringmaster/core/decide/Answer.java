package io.ringmaster.core.decide;

import io.ringmaster.model.error.Problem;
import java.util.List;
import java.util.function.Function;

/** What a request gets, at once: a refusal changed nothing. */
public sealed interface Answer<T> {
    record Accepted<T>(T value) implements Answer<T> {}

    /** @param problems at least one, each naming the cause and the next step */
    record Refused<T>(List<Problem> problems) implements Answer<T> {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** What follows from it if it was accepted; a refusal stays one. */
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
