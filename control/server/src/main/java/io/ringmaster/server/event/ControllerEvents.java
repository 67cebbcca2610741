package io.ringmaster.server.event;

import io.ringmaster.controller.Event;
import io.ringmaster.model.name.DatacenterName;

/** Puts the controller's events into the rings of this datacenter and of the fleet. */
public final class ControllerEvents implements Event.Listener {
    private final DatacenterName datacenter;
    private final EventRing own;
    private final EventRing fleet;

    public ControllerEvents(DatacenterName datacenter, EventRing own, EventRing fleet) {
        this.datacenter = datacenter;
        this.own = own;
        this.fleet = fleet;
    }

    @Override
    public void on(Event event) {
        var reported = new io.ringmaster.wire.api.Event(
                "",
                event.at(),
                io.ringmaster.wire.api.Event.Type.valueOf(event.kind().name()),
                datacenter,
                event.cluster(),
                event.subject(),
                event.step(),
                event.status() == null ? null : event.status().name(),
                event.text());
        own.add(reported);
        fleet.add(reported);
    }
}
