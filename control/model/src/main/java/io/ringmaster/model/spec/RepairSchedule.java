package io.ringmaster.model.spec;

/**
 * That a cluster repairs itself without being asked.
 *
 * @param everyMinutes how old the last repair of a range may become before the next one is asked for
 * @param intensity how much of the time a repair works, above 0, at most 1
 */
public record RepairSchedule(long everyMinutes, double intensity) {}
