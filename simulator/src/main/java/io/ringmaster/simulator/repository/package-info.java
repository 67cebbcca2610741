/**
 * The protocol of repositories of backups, judged: the real uploads, commits, collections and restores on a store in
 * memory. Each of them is an actor with a thread; a seeded {@link io.ringmaster.simulator.repository.ActorSchedule}
 * lets exactly one make one request, kills it, or freezes it for virtual days.
 */
@NullMarked
package io.ringmaster.simulator.repository;

import org.jspecify.annotations.NullMarked;
