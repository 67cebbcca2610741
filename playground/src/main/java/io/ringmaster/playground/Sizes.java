package io.ringmaster.playground;

import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Reads {@code 256MiB}, {@code 1GiB}; the short forms {@code 256M} and {@code 1G} mean the same. */
public final class Sizes implements CommandLine.ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*([KMG])(?:i?B)?", Pattern.CASE_INSENSITIVE);

    @Override
    public Long convert(String text) {
        var m = FORM.matcher(text.strip());
        if (!m.matches()) {
            throw new CommandLine.TypeConversionException("'" + text + "' is not a size such as 256MiB or 1GiB");
        }
        int power = 1 + "KMG".indexOf(m.group(2).toUpperCase(Locale.ROOT));
        return Long.parseLong(m.group(1)) << (10 * power);
    }
}
