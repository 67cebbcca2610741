package io.ringmaster.wire.api;

import java.util.Map;

/**
 * What is said when an operation is asked for.
 *
 * @param params by name, see {@link OperationInfo#params}; several values of one are separated by commas
 * @param why for the audit, in the user's words; may be left out
 */
public record OperationAsk(Map<String, String> params, String why) {
    /** The longest reason that is kept. */
    public static final int WHY_LIMIT = 200;

    public OperationAsk {
        params = params == null ? Map.of() : Map.copyOf(params);
        why = why == null ? "" : why.strip();
    }
}
