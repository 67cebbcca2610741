package io.ringmaster.model.spec;

import java.util.regex.Pattern;

/** A key of a Kubernetes Secret. Both names follow the rules of Kubernetes. */
public record SecretKeyRef(String name, String key) {
    private static final int LONGEST = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    public SecretKeyRef {
        if (!isName(name) || !isKey(key)) {
            throw new IllegalArgumentException("not a key of a Secret");
        }
    }

    /**
     * Reads {@code app-login/password}.
     *
     * @throws IllegalArgumentException if {@link #text} does not write it so
     */
    public static SecretKeyRef of(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("not a key of a Secret");
        }
        return new SecretKeyRef(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Whether it is a DNS subdomain, as the names of Secrets are. */
    public static boolean isName(String text) {
        return text.length() <= LONGEST && NAME.matcher(text).matches();
    }

    /** Whether Kubernetes can mount it as a file. */
    public static boolean isKey(String text) {
        return text.length() <= LONGEST && KEY.matcher(text).matches() && !text.equals(".") && !text.startsWith("..");
    }

    /** {@code app-login/password}. */
    public String text() {
        return name + "/" + key;
    }
}
