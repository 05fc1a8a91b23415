package authservice;

import java.time.Duration;

/** Callbacks for telemetry, in the thread of the call. They get neither secrets nor bodies nor user ids. */
public interface Hooks {
    /**
     * One request of a call.
     *
     * @param operation the method and the path below /api/service/, such as GET users/{userId}/access; the same for every user
     * @param attempt 1 for the first request of a call
     */
    record Request(String operation, int attempt) {}

    /**
     * The end of one request.
     *
     * @param status the HTTP status; 0 if there was no response
     * @param requestId the id by which the operators of the service find the request; empty if there is none
     * @param code that of the failure; null after a success
     */
    record Response(Request request, Duration duration, int status, String requestId, String code) {}

    /**
     * A retry.
     *
     * @param delay how long the client waits before the next attempt
     */
    record Retry(Request request, String code, Duration delay) {}

    /** Is called before a request is signed and sent. */
    default void onRequest(Request request) {}

    /** Is called after each request, with or without a response. */
    default void onResponse(Response response) {}

    /** Is called before the pause that precedes another attempt. */
    default void onRetry(Retry retry) {}
}
