package authservice;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/** Lets only users with access reach an application, whatever its framework. Any failure is a denial. */
public final class Guard {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Map<String, String> DETAILS = Map.of(
            "not_authenticated", "The request has no logged-in user. Log in first.",
            "access_denied", "This user has no access to this application.",
            "role_missing", "This user lacks a role that this request requires.",
            "access_unavailable", "The access of this user cannot be checked now. Try again later.");
    /**
     * Neither a refused key, because a leaked one is revoked to end its use, nor too_many_requests, which anyone who sends many requests
     * can cause, nor an interrupted call.
     */
    private static final Set<String> OUTAGE = Set.of("no_answer", "circuit_open", "unavailable", "stale");

    private final Decider source;
    private final List<String> roles;
    private final String challenge;
    private final boolean showsReason;
    private final WhenUnavailable whenUnavailable;

    private Guard(Decider source, List<String> roles, String challenge, boolean showsReason, WhenUnavailable whenUnavailable) {
        this.source = Objects.requireNonNull(source, "source");
        this.roles = roles;
        this.challenge = challenge;
        this.showsReason = showsReason;
        this.whenUnavailable = Objects.requireNonNull(whenUnavailable, "whenUnavailable");
    }

    /** Admits users with access, by what this source decides. */
    public Guard(Decider source) {
        this(source, null, "Bearer", false, WhenUnavailable.DENY);
    }

    /** Says what a guard does while the service does not answer. */
    public enum WhenUnavailable {
        /** Lets no request pass. */
        DENY,
        /** Lets the requests of all users pass, without roles: what has decided is {@code outage}. */
        ALLOW
    }

    /**
     * Requires one of these roles too.
     *
     * @throws IllegalArgumentException for none, or one without a name: a list that is empty by mistake must not open anything
     */
    public Guard requiring(String... oneOf) {
        var names = List.of(oneOf);
        if (names.isEmpty() || names.contains("")) throw new IllegalArgumentException("requiring needs the names of roles");
        return new Guard(source, names, challenge, showsReason, whenUnavailable);
    }

    /** Sets the WWW-Authenticate of a 401; Bearer by default. */
    public Guard challenge(String header) {
        if (!header.matches("[ -~]+")) throw new IllegalArgumentException("challenge must be the text of a header");
        return new Guard(source, roles, header, showsReason, whenUnavailable);
    }

    /** Adds the reason of a block, which is written for operators, to a 403. */
    public Guard showingReason() {
        return new Guard(source, roles, challenge, true, whenUnavailable);
    }

    /** Sets what happens while the service does not answer; DENY by default. A guard that requires a role stays closed in any case. */
    public Guard whenUnavailable(WhenUnavailable choice) {
        return new Guard(source, roles, challenge, showsReason, choice);
    }

    /**
     * Decides about a request.
     *
     * @param findUserId returns the id of the logged-in user, null or an empty one if there is none; after an exception nobody is
     *     logged in
     */
    public GuardDecision decide(Callable<String> findUserId) {
        String userId;
        try {
            userId = findUserId.call();
        } catch (Exception e) {
            return notAuthenticated(e);
        }
        if (userId == null || userId.isEmpty()) return notAuthenticated(null);
        if (!Ids.isUser(userId)) return notAuthenticated(new IllegalStateException("this cannot be the id of a user"));
        try {
            return judge(userId, source.decide(userId));
        } catch (RuntimeException e) {
            return withoutDecision(userId, e, e instanceof AuthServiceException failure ? failure.code() : "");
        }
    }

    private GuardDecision judge(String userId, Decision decision) {
        if (decision == null || !userId.equals(decision.userId()) || decision.effectiveStatus() == null) {
            return withoutDecision(userId, new IllegalStateException("the source of the guard did not decide about this user"), "");
        }
        if (decision.code() != null && !decision.code().equals(Client.USER_NOT_FOUND)) {
            var code = decision.code();
            return withoutDecision(userId, new IllegalStateException("the source of the guard has no decision: " + code), code);
        }
        if (!decision.isEnabled()) return new GuardDecision(403, "access_denied", userId, decision, null);
        if (roles != null && !decision.holds(roles)) return new GuardDecision(403, "role_missing", userId, decision, null);
        return new GuardDecision(200, null, userId, decision, null);
    }

    private static GuardDecision notAuthenticated(Exception error) {
        return new GuardDecision(401, "not_authenticated", null, null, error);
    }

    /** Decides by the code that says why there is no decision. */
    private GuardDecision withoutDecision(String userId, Exception error, String code) {
        if (whenUnavailable == WhenUnavailable.ALLOW && roles == null && OUTAGE.contains(code)) {
            return new GuardDecision(200, null, userId, new Decision(userId, Status.ENABLED, "outage", List.of(), null, null), error);
        }
        return new GuardDecision(503, "access_unavailable", userId, null, error);
    }

    /**
     * The answer to a denied request.
     *
     * @param body a problem document (RFC 9457), to be sent in UTF-8
     */
    public record Denial(int status, Map<String, String> headers, String body) {}

    /** Returns the answer to a denied request. */
    public Denial denial(GuardDecision decision) {
        if (decision.isAdmitted()) throw new IllegalArgumentException("the request was admitted");
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/problem+json");
        headers.put("Cache-Control", "no-store");
        // RFC 9110 section 15.5.2: a 401 must have one.
        if (decision.status() == 401) headers.put("WWW-Authenticate", challenge);
        if (decision.status() == 503) headers.put("Retry-After", retryAfterSeconds(decision.error()));
        var document = new LinkedHashMap<String, Object>();
        document.put("type", "about:blank");
        document.put("title", titleOf(decision.status()));
        document.put("status", decision.status());
        document.put("detail", DETAILS.get(decision.code()));
        document.put("code", decision.code());
        if (showsReason && hasReason(decision)) document.put("reason", decision.decision().reason());
        return new Denial(decision.status(), Map.copyOf(headers), CanonicalJson.write(document));
    }

    private static boolean hasReason(GuardDecision decision) {
        var isBlock = "access_denied".equals(decision.code()) && "explicit".equals(decision.decision().decidedBy());
        return isBlock && decision.decision().reason() != null;
    }

    private static String titleOf(int status) {
        return switch (status) {
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            default -> "Service Unavailable";
        };
    }

    private static String retryAfterSeconds(Exception error) {
        var after = error instanceof AuthServiceException failure ? failure.retryAfter() : Duration.ZERO;
        return Long.toString((after.isZero() ? RETRY_AFTER : after).plusNanos(999_999_999).toSeconds());
    }
}
