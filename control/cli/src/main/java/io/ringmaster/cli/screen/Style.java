package io.ringmaster.cli.screen;

import org.jline.utils.AttributedStyle;

/** Meaning of a piece of text. A terminal shows it as a colour; the words alone are enough without colours. */
public enum Style {
    PLAIN(AttributedStyle.DEFAULT),
    DIM(AttributedStyle.DEFAULT.faint()),
    BOLD(AttributedStyle.BOLD),
    GOOD(AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN)),
    WARN(AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW)),
    BAD(AttributedStyle.DEFAULT.foreground(AttributedStyle.RED)),
    ACCENT(AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN));

    /** JLine's styles have only final fields. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final AttributedStyle attributes;

    Style(AttributedStyle attributes) {
        this.attributes = attributes;
    }

    AttributedStyle attributes() {
        return attributes;
    }
}
