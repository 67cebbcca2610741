package io.ringmaster.cli.terminal;

import java.util.Map;

/**
 * What standard output can show.
 *
 * @param interactive it is a terminal whose cursor can be moved
 * @param colour colour sequences are understood and wanted
 * @param width columns to fill at most
 */
public record Abilities(boolean interactive, boolean colour, int width) {
    private static final int WIDTH_WITHOUT_TERMINAL = 100;
    private static final int NARROWEST = 40;

    /**
     * @param terminal whether standard output is a terminal, as the launcher found
     * @param columns of that terminal; 0 when not known
     */
    public static Abilities of(Map<String, String> environment, boolean terminal, int columns, boolean noColour) {
        boolean dumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
        boolean interactive = terminal && !dumb;
        boolean colour = interactive
                && !noColour
                && environment.getOrDefault("NO_COLOR", "").isEmpty();
        int width = terminal && columns > 0 ? Math.max(NARROWEST, columns) : WIDTH_WITHOUT_TERMINAL;
        return new Abilities(interactive, colour, width);
    }

    /** As the launcher {@code ./ringmaster} says in the properties {@code ringmaster.terminal} and {@code ringmaster.columns}. */
    public static Abilities detect(boolean noColour) {
        boolean terminal = Boolean.getBoolean("ringmaster.terminal");
        return of(System.getenv(), terminal, Integer.getInteger("ringmaster.columns", 0), noColour);
    }
}
