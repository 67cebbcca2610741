package io.ringmaster.cli.yaml;

/** A text is not YAML. */
public final class YamlException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String place;

    YamlException(String place, String problem, Throwable cause) {
        super(problem, cause);
        this.place = place;
    }

    /** {@code " at line 3, column 5"}, or empty where the parser does not know. */
    public String place() {
        return place;
    }
}
