package io.ringmaster.server.login;

import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.server.access.RefusalLog;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form of a user's name in the audit: fits into a header and a cookie. The names of the policies that request
 * operations, and those of callers without a name, belong to no user.
 */
public final class UserName {
    /** The name of a caller that states none. */
    public static final String UNNAMED = "api";

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

    private static final Set<String> RESERVED =
            Set.of(ScheduledRepair.WHO, AutomaticReplace.WHO, UNNAMED, RefusalLog.UNKNOWN);

    /** The rule in words. */
    public static final String RULE = "must be 1 to 64 of the characters A-Z a-z 0-9 . _ @ -, and none of "
            + RESERVED.stream().sorted().collect(Collectors.joining(", "));

    private UserName() {}

    public static boolean isValid(@Nullable String name) {
        return name != null && ALLOWED.matcher(name).matches() && !RESERVED.contains(name);
    }
}
