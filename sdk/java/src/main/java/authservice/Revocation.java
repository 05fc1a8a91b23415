package authservice;

import java.util.Objects;

/**
 * Revokes a role of the application.
 *
 * @param role the name of a role of the application
 * @param reason for operators, like {@code ticket}; null for none
 * @param ifVersion the version that the access must have, or nothing changes; null for any
 */
public record Revocation(String role, String reason, String ticket, Long ifVersion) {
    /** Requires a role. */
    public Revocation {
        Objects.requireNonNull(role, "role");
    }

    /** Revokes this role. */
    public static Revocation of(String role) {
        return new Revocation(role, null, null, null);
    }

    /** Gives a reason. */
    public Revocation reason(String why) {
        return new Revocation(role, why, ticket, ifVersion);
    }

    /** Names a ticket. */
    public Revocation ticket(String id) {
        return new Revocation(role, reason, id, ifVersion);
    }

    /** Makes the write fail with {@link AuthServiceException.VersionMismatch} unless the access has this version. */
    public Revocation ifVersion(long version) {
        return new Revocation(role, reason, ticket, version);
    }
}
