package io.ringmaster.simulator.history;

/** Someone or something that acts from time to time until the faults of a run stop. */
public interface Participant {
    void start();

    void stop();
}
