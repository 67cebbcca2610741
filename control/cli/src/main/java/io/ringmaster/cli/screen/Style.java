package io.ringmaster.cli.screen;

/** Meaning of a piece of text. A terminal shows it as a colour; the words alone are enough without colours. */
public enum Style {
    PLAIN(""),
    DIM("2"),
    BOLD("1"),
    GOOD("32"),
    WARN("33"),
    BAD("31"),
    ACCENT("36");

    private final String sgr;

    Style(String sgr) {
        this.sgr = sgr;
    }

    /** The parameters of the terminal's "select graphic rendition"; empty for none. */
    public String sgr() {
        return sgr;
    }
}
