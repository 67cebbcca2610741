package io.ringmaster.wire.api;

import java.util.Map;

/**
 * The body of a request for an operation.
 *
 * @param params parameters by name, see {@link OperationInfo#params}; commas separate several values of one parameter
 * @param why the user's reason, kept in the audit; optional
 */
public record OperationAsk(Map<String, String> params, String why) {
    /** The maximum length of the reason in characters. */
    public static final int WHY_LIMIT = 200;

    public OperationAsk {
        params = params == null ? Map.of() : Map.copyOf(params);
        why = why == null ? "" : why.strip();
    }
}
