package io.ringmaster.cli.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Locale;
import java.util.Map;

/** The browser of the user's desktop. */
public final class Browser {
    private Browser() {}

    /**
     * Opens a URL where there is a display.
     *
     * @param variables environment variables
     * @return false if there is no display or no program to open a URL
     */
    public static boolean open(String url, Map<String, String> variables) {
        boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");
        boolean display = variables.containsKey("DISPLAY") || variables.containsKey("WAYLAND_DISPLAY");
        if (!mac && !display) {
            return false;
        }
        try {
            new ProcessBuilder(mac ? "open" : "xdg-open", url)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
