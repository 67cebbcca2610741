package io.ringmaster.cli.session;

/** Exit codes of the process; scripts rely on the numbers. */
public enum ExitCode {
    OK(0, "done"),
    FAILED(1, "the command failed"),
    USAGE(2, "the command line is wrong"),
    REFUSED(3, "the server or the user refused; nothing was changed"),
    UNREACHABLE(4, "no server answers"),
    TIMEOUT(5, "the wait timed out; the work continues"),
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
