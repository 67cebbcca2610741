package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Operation;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the given parameters against those of an operation. */
final class ParameterCheck {
    private ParameterCheck() {}

    /** @param common parameters that the operation accepts besides its own */
    static List<Problem> problems(Operation operation, Map<String, String> given, String... common) {
        List<String> allowed = allowed(operation, common);
        List<Problem> problems = new ArrayList<>();
        given.keySet().stream()
                .filter(p -> !allowed.contains(p))
                .forEach(p -> problems.add(Problem.field(
                        ErrorCode.REQUEST_INVALID,
                        p,
                        "is not a parameter of " + operation.name() + ", allowed: " + allowed)));
        operation.params().stream()
                .filter(p -> p.required() && !given.containsKey(p.name()))
                .forEach(p ->
                        problems.add(Problem.field(ErrorCode.REQUEST_INVALID, p.name(), "is missing: " + p.help())));
        return problems;
    }

    /** Whether a user may give the parameter. */
    static boolean isKnown(Operation operation, String name, String... common) {
        return allowed(operation, common).contains(name);
    }

    private static List<String> allowed(Operation operation, String... common) {
        List<String> allowed = new ArrayList<>(
                operation.params().stream().map(Operation.Param::name).toList());
        allowed.addAll(List.of(common));
        return allowed;
    }
}
