package io.ringmaster.lab.bench;

import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** One experiment: what it asks, how it measures, and what its page says. */
public interface Experiment {
    /** Name on the command line and of its files. */
    String name();

    /** What a reader learns, as a question. */
    String question();

    /** The figures of the sources that it reproduces; each has a cell on the page. */
    List<Seed> seeds();

    /** What must be there; what is missing is said before anything starts. */
    Set<Need> needs();

    /** How long a run takes, at most. */
    Duration budget(Form form);

    /**
     * Measures.
     *
     * @param figures where results go, as soon as they are known
     * @throws IOException a program or node failed; the message names it and its log
     */
    void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException;

    /** The page of a result. Pure: a page improves without a new run. */
    Report report(Measured measured);
}
