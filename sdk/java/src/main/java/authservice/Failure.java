package authservice;

import java.time.Duration;
import java.util.Map;

/** How an attempt failed, before it is known whether a retry can help. */
record Failure(
        Kind kind,
        String code,
        String detail,
        int status,
        String requestId,
        Duration retryAfter,
        Map<String, Object> problem,
        boolean timedOut,
        Throwable cause) {
    /** The classes of errors, each of which has an exception. */
    enum Kind {
        ABORTED,
        INVALID_REQUEST,
        SIGNATURE_REJECTED,
        FORBIDDEN,
        NOT_FOUND,
        VERSION_MISMATCH,
        UNAVAILABLE,
        UNEXPECTED_ANSWER;

        static Kind of(int status) {
            return switch (status) {
                case 400, 410, 413, 415 -> INVALID_REQUEST;
                case 401 -> SIGNATURE_REJECTED;
                case 403 -> FORBIDDEN;
                case 404 -> NOT_FOUND;
                case 412 -> VERSION_MISMATCH;
                case 409, 429, 502, 503, 504 -> UNAVAILABLE;
                default -> UNEXPECTED_ANSWER;
            };
        }
    }

    /** A failure without an answer. */
    static Failure of(Kind kind, String code, String detail) {
        return new Failure(kind, code, detail, 0, "", Duration.ZERO, Map.of(), false, null);
    }

    static Failure aborted(InterruptedException cause) {
        return new Failure(Kind.ABORTED, "aborted", "the thread was interrupted", 0, "", Duration.ZERO, Map.of(), false, cause);
    }

    static Failure noAnswer(Exception cause, boolean timedOut) {
        var detail = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
        return new Failure(Kind.UNAVAILABLE, "no_answer", detail, 0, "", Duration.ZERO, Map.of(), timedOut, cause);
    }

    static Failure circuitOpen(String detail, Duration left) {
        return new Failure(Kind.UNAVAILABLE, "circuit_open", detail, 0, "", left, Map.of(), false, null);
    }

    AuthServiceException exception(int attempts) {
        return switch (kind) {
            case ABORTED -> new AuthServiceException(this, attempts);
            case INVALID_REQUEST -> new AuthServiceException.InvalidRequest(this, attempts);
            case SIGNATURE_REJECTED -> new AuthServiceException.SignatureRejected(this, attempts);
            case FORBIDDEN -> new AuthServiceException.Forbidden(this, attempts);
            case NOT_FOUND -> new AuthServiceException.NotFound(this, attempts);
            case VERSION_MISMATCH -> new AuthServiceException.VersionMismatch(this, attempts);
            case UNAVAILABLE -> new AuthServiceException.Unavailable(this, attempts);
            case UNEXPECTED_ANSWER -> new AuthServiceException.UnexpectedAnswer(this, attempts);
        };
    }
}
