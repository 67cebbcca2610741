package io.ringmaster.cli.terminal;

import java.util.Map;

/**
 * Abilities of standard output.
 *
 * @param interactive whether it is a terminal whose cursor can be moved
 * @param colour whether colour sequences are supported and wanted
 * @param width columns per line
 */
public record Abilities(boolean interactive, boolean colour, int width) {
    private static final int WIDTH_WITHOUT_TERMINAL = 100;
    private static final int NARROWEST = 40;

    /**
     * @param terminal whether standard output is a terminal, as the launcher script found
     * @param columns width of that terminal; 0 when unknown
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

    /** From the properties {@code ringmaster.terminal} and {@code ringmaster.columns} of the launcher script. */
    public static Abilities detect(boolean noColour) {
        boolean terminal = Boolean.getBoolean("ringmaster.terminal");
        return of(System.getenv(), terminal, Integer.getInteger("ringmaster.columns", 0), noColour);
    }
}
