/**
 * Linux, as every process of Ringmaster uses it: process identities, durable files, file locks, cgroup names. Depends
 * on the JDK alone.
 */
@NullMarked
package io.ringmaster.host;

import org.jspecify.annotations.NullMarked;
