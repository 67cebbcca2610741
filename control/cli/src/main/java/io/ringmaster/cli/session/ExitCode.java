package io.ringmaster.cli.session;

/** What the process ends with; scripts rely on the numbers. */
public enum ExitCode {
    OK(0, "done"),
    FAILED(1, "it was tried and did not work"),
    USAGE(2, "the command line cannot be understood"),
    REFUSED(3, "the server or the user said no; nothing was changed"),
    UNREACHABLE(4, "no server answers"),
    TIMEOUT(5, "the wait ended before the work did; the work goes on"),
    INTERRUPTED(130, "ended by Ctrl-C");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }
}
