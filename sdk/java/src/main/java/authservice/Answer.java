package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpHeaders;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.regex.Pattern;

/** A complete response. */
record Answer(int status, HttpHeaders headers, byte[] body) {
    private static final Pattern SECONDS = Pattern.compile("\\s*([0-9]{1,9}(?:\\.[0-9]{1,9})?)\\s*");
    /** Longer than any call, and short enough to add to. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(1);

    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    String requestId() {
        return header("Apigw-Requestid");
    }

    /**
     * Returns whether the answer is that of the service to this request. That of a cache, a login page or a proxy has no nonce, or
     * another one, and does not count as a refusal either.
     */
    boolean isOwn(String nonce) {
        return MessageDigest.isEqual(header("Request-Nonce").getBytes(UTF_8), nonce.getBytes(UTF_8));
    }

    /** Returns the failure for everything but an expected 200. */
    Failure failure(RequestSigner.Signed request, Instant now) {
        var isOwn = isOwn(request.nonce());
        var members = members();
        var isProblem = isOwn && header("Content-Type").startsWith("application/problem+json");
        var problem = isProblem ? members : Map.<String, Object>of();
        var kind = Failure.Kind.of(status);
        var code = text(problem, "code");
        if (code.isEmpty()) code = codeWithout(kind);
        if (code.isEmpty()) {
            code = "unexpected_answer";
            kind = Failure.Kind.UNEXPECTED_ANSWER;
        }
        var requestId = text(members, "requestId").isEmpty() ? requestId() : text(members, "requestId");
        var detail = detail(problem, isOwn, request.base());
        return new Failure(kind, code, detail, status, requestId, retryAfter(header("Retry-After"), now), members, false, null);
    }

    private String detail(Map<String, Object> problem, boolean isOwn, String base) {
        var foreign = isOwn ? "" : ", not the service's answer to this request";
        var detail = problem.get("detail") instanceof String text ? text : "HTTP " + status + foreign;
        if (!(problem.get("signatureBase") instanceof String expected)) return detail;
        return detail + "; " + RequestSigner.describeDifference(base, expected);
    }

    /** Returns the code for a response of API Gateway or a proxy, which has none, if it can be retried. */
    private String codeWithout(Failure.Kind kind) {
        if (status == 429) return "too_many_requests";
        return kind == Failure.Kind.UNAVAILABLE ? "unavailable" : "";
    }

    /** Returns the members of a JSON object, and none of anything else. */
    private Map<String, Object> members() {
        try {
            return Members.parse(body).all();
        } catch (Json.Malformed e) {
            return Map.of();
        }
    }

    static String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    /** Reads a number of seconds or a date (RFC 9110 section 10.2.3), up to a day; zero for anything else. */
    static Duration retryAfter(String header, Instant now) {
        var seconds = SECONDS.matcher(header);
        if (seconds.matches()) return atMostADay(Duration.ofNanos((long) (Double.parseDouble(seconds.group(1)) * 1e9)));
        try {
            var date = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return date.isAfter(now) ? atMostADay(Duration.between(now, date)) : Duration.ZERO;
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    private static Duration atMostADay(Duration duration) {
        return duration.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : duration;
    }
}
