package io.ringmaster.cqlshell;

import java.time.Instant;
import java.util.Locale;
import org.jline.reader.impl.history.DefaultHistory;

/** What was typed before, for the next shell, too. Statements with passwords of roles stay out of its file. */
final class PrivateHistory extends DefaultHistory {
    @Override
    public void add(Instant time, String line) {
        if (!line.toLowerCase(Locale.ROOT).contains("password")) {
            super.add(time, line);
        }
    }
}
