package io.ringmaster.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One route of the API.
 *
 * @param path the path below {@code /api/v1/}, with parameters in braces
 */
public record ApiRoute(HandlerType method, String path, Access access, Handler handler) {
    public static final String PREFIX = "/api/v1/";
}
