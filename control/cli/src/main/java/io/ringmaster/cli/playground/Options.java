package io.ringmaster.cli.playground;

import java.time.Duration;

/**
 * How a playground is run.
 *
 * @param detach ends when the cluster is up and leaves it running
 * @param keepData leaves the volumes when it is stopped
 * @param keepOnFailure leaves everything as it is when the start fails, to look at
 * @param timeout for the cluster to be up
 */
public record Options(boolean detach, boolean keepData, boolean keepOnFailure, Duration timeout) {}
