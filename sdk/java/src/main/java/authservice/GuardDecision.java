package authservice;

/**
 * Says why a request was admitted or denied.
 *
 * @param status 200 for an admitted request, 401 without a user, 403 without access, 503 if no decision is possible
 * @param code null for an admitted request; otherwise not_authenticated, access_denied, role_missing or access_unavailable. New codes
 *     may be added
 * @param userId null with a 401
 * @param decision what led to a 200 or 403; otherwise null
 * @param error for a 503 why there is no decision, for a 401 why there is no user; for a 200 null, or why the service did not answer
 *     ({@link Guard.WhenUnavailable#ALLOW})
 */
public record GuardDecision(int status, String code, String userId, Decision decision, Exception error) {
    /** Returns whether the request may go on. */
    public boolean isAdmitted() {
        return status == 200;
    }
}
