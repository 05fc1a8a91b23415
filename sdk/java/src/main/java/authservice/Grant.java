package authservice;

import java.time.Instant;
import java.util.Objects;

/**
 * Assigns a role of the application.
 *
 * @param role the name of a role of the application
 * @param expiresAt ends the grant; null for never
 * @param reason for operators, like {@code ticket}; null for none
 * @param ifVersion the version that the access must have, or nothing changes; null for any
 */
public record Grant(String role, Instant expiresAt, String reason, String ticket, Long ifVersion) {
    /** Requires a role. */
    public Grant {
        Objects.requireNonNull(role, "role");
    }

    /** Assigns this role. */
    public static Grant of(String role) {
        return new Grant(role, null, null, null, null);
    }

    /** Ends the grant then. */
    public Grant expiresAt(Instant end) {
        return new Grant(role, end, reason, ticket, ifVersion);
    }

    /** Gives a reason. */
    public Grant reason(String why) {
        return new Grant(role, expiresAt, why, ticket, ifVersion);
    }

    /** Names a ticket. */
    public Grant ticket(String id) {
        return new Grant(role, expiresAt, reason, id, ifVersion);
    }

    /** Makes the write fail with {@link AuthServiceException.VersionMismatch} unless the access has this version. */
    public Grant ifVersion(long version) {
        return new Grant(role, expiresAt, reason, ticket, version);
    }
}
