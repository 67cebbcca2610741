package io.ringmaster.model.spec;

/**
 * Which backups of a cluster are kept.
 *
 * @param last the number of newest backups, at least 1
 * @param daily the number of days whose newest backup is kept too
 */
public record Keep(int last, int daily) {}
