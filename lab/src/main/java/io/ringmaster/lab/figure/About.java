package io.ringmaster.lab.figure;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where and when figures were measured.
 *
 * @param commit commit of the checkout, "-dirty" behind it where files differed
 * @param started wall clock, for people only
 * @param seconds length of the run
 * @param machine facts of the computer and its programs, name to value, in the order of the page
 * @param busy whether the run started although the computer had other work
 */
public record About(
        String experiment,
        Form form,
        String commit,
        Instant started,
        double seconds,
        Map<String, String> machine,
        boolean busy) {

    /** The same with further facts behind those of the machine. */
    About with(Map<String, String> facts) {
        Map<String, String> all = new LinkedHashMap<>(machine);
        all.putAll(facts);
        return new About(experiment, form, commit, started, seconds, all, busy);
    }
}
