package authservice;

import java.time.Instant;
import java.util.List;

/**
 * The access of one user to one application. Obey {@link #effectiveStatus}, or {@link #isEnabled}: roles are listed even while it is
 * disabled.
 *
 * @param userId the user, by the id that your applications share
 * @param appId the application of the key
 * @param status the one that was set for this user in this application, or the default, enabled
 * @param explicit whether the status was ever set
 * @param until when the block expires; null for never
 * @param reason null if there is none
 * @param userStatus the global status of the user: active or inactive
 * @param effectiveStatus the effective status now, which the application must obey
 * @param decidedBy what decided: user, explicit, lapsed, rollout or default; new values may be added
 * @param roles those that the user holds now, ordered by name
 * @param version counts the changes; the value for {@code ifVersion}
 * @param updatedAt null if the access never changed
 * @param raw the whole answer as JSON, also with members that this version of the SDK does not know
 */
public record Access(
        String userId,
        String appId,
        Status status,
        boolean explicit,
        Instant until,
        String reason,
        String userStatus,
        Status effectiveStatus,
        String decidedBy,
        List<Role> roles,
        long version,
        Instant updatedAt,
        String raw) {
    /** Copies the roles. */
    public Access {
        roles = List.copyOf(roles);
    }

    /** Returns whether the user may enter. */
    public boolean isEnabled() {
        return effectiveStatus == Status.ENABLED;
    }

    /** Returns whether the user may enter and holds this role. */
    public boolean may(String role) {
        return isEnabled() && roles.stream().anyMatch(held -> held.name().equals(role));
    }

    /** Reads the access of this user to this application, with a valid status. */
    static Access read(Members given, String userId, String appId) {
        if (!userId.equals(given.text("userId")) || !appId.equals(given.text("appId"))) {
            throw new Json.Malformed("the access of another user or application");
        }
        return new Access(
                userId,
                appId,
                Status.of(given.text("status")),
                given.flag("explicit"),
                given.timeOrNull("until"),
                given.textOrNull("reason"),
                given.text("userStatus"),
                Status.of(given.text("effectiveStatus")),
                given.text("decidedBy"),
                Role.listOf(given),
                given.integer("version"),
                given.timeOrNull("updatedAt"),
                given.toString());
    }
}
