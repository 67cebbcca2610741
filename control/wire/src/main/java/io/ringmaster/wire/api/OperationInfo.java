package io.ringmaster.wire.api;

import java.util.List;

/** An entry of the catalogue of operations. */
public record OperationInfo(String name, String summary, List<Param> params) {
    public OperationInfo {
        params = List.copyOf(params);
    }

    /** @param form what a value looks like */
    public record Param(String name, String form, boolean required, String help) {}
}
