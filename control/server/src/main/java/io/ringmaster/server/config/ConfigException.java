package io.ringmaster.server.config;

import java.util.List;

/** The settings are not usable; nothing was started. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> lines;

    /** @param lines one for each wrong field, naming it */
    public ConfigException(List<String> lines) {
        super(String.join(System.lineSeparator(), lines));
        this.lines = List.copyOf(lines);
    }

    public List<String> lines() {
        return lines;
    }
}
