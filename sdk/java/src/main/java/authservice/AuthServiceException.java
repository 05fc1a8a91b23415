package authservice;

import java.time.Duration;
import java.util.Map;

/**
 * A failed call. Its class says how to react, its {@link #code} what exactly failed. No error contains a secret. A call whose thread was
 * interrupted has the code {@code aborted} and no class, and the thread stays interrupted.
 */
public class AuthServiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;
    /** How many requests the call sent. */
    private final int attempts;

    AuthServiceException(Failure failure, int attempts) {
        super(failure.code() + ": " + failure.detail(), failure.cause());
        this.failure = failure;
        this.attempts = attempts;
    }

    /** Returns the stable code: what to branch on. New codes may be added. */
    public String code() {
        return failure.code();
    }

    /** Returns what went wrong this time. */
    public String detail() {
        return failure.detail();
    }

    /** Returns the HTTP status; 0 if there was no response. */
    public int status() {
        return failure.status();
    }

    /** Returns the id by which the operators of the service find the request; empty if there is none. */
    public String requestId() {
        return failure.requestId();
    }

    /** Returns how long to wait before the next request, as the server asks, or until the circuit closes; zero if nothing says it. */
    public Duration retryAfter() {
        return failure.retryAfter();
    }

    /** Returns the members of the problem document (RFC 9457) in the response; none if there is no document. */
    public Map<String, Object> problem() {
        return failure.problem();
    }

    /** Returns the number of requests that the call sent. */
    public int attempts() {
        return attempts;
    }

    /** Returns whether the last request got no answer in time. */
    public boolean timedOut() {
        return failure.timedOut();
    }

    /** The arguments are invalid. Nothing has changed. */
    public static final class InvalidRequest extends AuthServiceException {
        private static final long serialVersionUID = 1;

        InvalidRequest(Failure failure, int attempts) {
            super(failure, attempts);
        }

        InvalidRequest(String detail) {
            this(Failure.of(Failure.Kind.INVALID_REQUEST, "invalid_request", detail), 0);
        }
    }

    /** The key or the signature was rejected; signature_mismatch says where the signature bases differ. */
    public static final class SignatureRejected extends AuthServiceException {
        private static final long serialVersionUID = 1;

        SignatureRejected(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }

    /** The API key lacks the scope, or the service accepts no requests from this address. */
    public static final class Forbidden extends AuthServiceException {
        private static final long serialVersionUID = 1;

        Forbidden(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }

    /** The user or the role does not exist. An unknown user has no access. */
    public static final class NotFound extends AuthServiceException {
        private static final long serialVersionUID = 1;

        NotFound(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }

    /** The access does not have the version of {@code ifVersion}. Nothing has changed: read the access and decide again. */
    public static final class VersionMismatch extends AuthServiceException {
        private static final long serialVersionUID = 1;

        VersionMismatch(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }

    /**
     * Too many requests, no response, or an unavailable service, even after all retries. A write may have taken effect: read the access
     * before you repeat it, because a new call can overwrite changes that others have made since.
     */
    public static final class Unavailable extends AuthServiceException {
        private static final long serialVersionUID = 1;

        Unavailable(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }

    /** A response that the service does not define: an internal error, a proxy's page, a redirect, another user's access. */
    public static final class UnexpectedAnswer extends AuthServiceException {
        private static final long serialVersionUID = 1;

        UnexpectedAnswer(Failure failure, int attempts) {
            super(failure, attempts);
        }
    }
}
