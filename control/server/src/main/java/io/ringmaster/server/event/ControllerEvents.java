package io.ringmaster.server.event;

import io.ringmaster.controller.Event;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import org.jspecify.annotations.Nullable;

/** Puts the controller's events into the ring. */
public final class ControllerEvents implements Event.Listener {
    private final EventRing ring;

    public ControllerEvents(EventRing ring) {
        this.ring = ring;
    }

    @Override
    public void on(Event event) {
        ring.add(
                event.at(),
                io.ringmaster.wire.api.Event.Type.valueOf(event.kind().name()),
                cluster(event),
                event.subject(),
                event.text());
    }

    private static @Nullable ClusterName cluster(Event event) {
        return switch (event.kind()) {
            case CLUSTER -> new ClusterName(event.subject());
            case NODE -> NodeId.of(event.subject()).cluster();
            default -> null;
        };
    }
}
