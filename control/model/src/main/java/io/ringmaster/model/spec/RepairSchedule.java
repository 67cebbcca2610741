package io.ringmaster.model.spec;

/**
 * The schedule of automatic repairs.
 *
 * @param everyMinutes the age of the last repair of a range at which the next one is requested, in minutes
 * @param intensity the share of the time that a repair works, above 0, at most 1
 */
public record RepairSchedule(long everyMinutes, double intensity) {}
