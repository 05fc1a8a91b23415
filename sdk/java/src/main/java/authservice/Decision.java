package authservice;

import java.util.List;

/**
 * Says whether a user may enter. Obey {@link #isEnabled}: roles are listed even while the access is disabled.
 *
 * @param userId the user, as asked
 * @param effectiveStatus what the application must obey
 * @param decidedBy what decided, as in an {@link Access}; null without a decision, which is never enabled; {@code outage} if only
 *     {@link Guard.WhenUnavailable#ALLOW} admits the user
 * @param roles those that the user holds now, ordered by name
 * @param code says why there is no decision; null if there is one. {@code user_not_found} means that no user has this id
 * @param reason that of the status, written for operators; null if there is none
 */
public record Decision(String userId, Status effectiveStatus, String decidedBy, List<Role> roles, String code, String reason) {
    /** Copies the roles. */
    public Decision {
        roles = List.copyOf(roles);
    }

    /** Returns a decision that lets a user with these roles enter, for tests of an application. */
    public static Decision enabled(String userId, String... roles) {
        var held = List.of(roles).stream().map(name -> new Role(name, null)).toList();
        return new Decision(userId, Status.ENABLED, "default", held, null, null);
    }

    /** Returns a decision that blocks a user, for tests of an application. */
    public static Decision disabled(String userId) {
        return new Decision(userId, Status.DISABLED, "explicit", List.of(), null, null);
    }

    /** Returns that there is no decision about a user, with the code that says why. */
    public static Decision none(String userId, String code) {
        return new Decision(userId, Status.DISABLED, null, List.of(), code, null);
    }

    /** Returns whether the user may enter. */
    public boolean isEnabled() {
        return effectiveStatus == Status.ENABLED && code == null;
    }

    /** Returns whether the user may enter and holds this role. */
    public boolean may(String role) {
        return isEnabled() && holds(List.of(role));
    }

    /** Returns whether the user holds one of these roles. */
    boolean holds(List<String> names) {
        return roles.stream().anyMatch(role -> names.contains(role.name()));
    }
}
