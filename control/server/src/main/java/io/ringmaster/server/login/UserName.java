package io.ringmaster.server.login;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of a user's name in the audit: fits into a header and a cookie. */
public final class UserName {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

    private UserName() {}

    public static boolean isValid(@Nullable String name) {
        return name != null && ALLOWED.matcher(name).matches();
    }
}
