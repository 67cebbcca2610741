package io.ringmaster.pool.mesos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What goes wrong between a scheduler and the stand-in master. */
final class StandInFaults {
    /** What happens to a call. */
    enum Fault {
        NONE,
        /** It does not arrive. */
        LOST,
        /** The offer that it answers was taken back. */
        VOID_OFFER,
        /** It is carried out, and the connection ends before the answer. */
        NOT_ANSWERED
    }

    private final Map<String, Fault> next = new ConcurrentHashMap<>();
    /** Whether the questions of operators end their connections without an answer. */
    volatile boolean operatorsCutOff;

    /** Why each subscription is refused; empty if none is. */
    volatile String refusesSubscriptions = "";
    /** Whether offers come without the volumes of their agents. */
    volatile boolean volumesHeldBack;

    /** @param type such as {@code DECLINE} */
    void next(String type, Fault fault) {
        next.put(type, fault);
    }

    /** What happens to this call, once. */
    Fault take(String type) {
        Fault fault = next.remove(type);
        return fault == null ? Fault.NONE : fault;
    }
}
