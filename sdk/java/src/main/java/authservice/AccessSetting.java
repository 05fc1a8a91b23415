package authservice;

import java.time.Instant;
import java.util.Objects;

/**
 * Enables or disables a user's access. A reason or an end that is not given is removed.
 *
 * @param status whether the user may enter
 * @param until ends a block; null for never
 * @param reason for operators, like {@code ticket}; null for none
 * @param ifVersion the version that the access must have, or nothing changes; null for any
 */
public record AccessSetting(Status status, Instant until, String reason, String ticket, Long ifVersion) {
    /** Requires a status. */
    public AccessSetting {
        Objects.requireNonNull(status, "status");
    }

    /** Lets the user enter. */
    public static AccessSetting enable() {
        return new AccessSetting(Status.ENABLED, null, null, null, null);
    }

    /** Blocks the user. */
    public static AccessSetting disable() {
        return new AccessSetting(Status.DISABLED, null, null, null, null);
    }

    /** Ends the block then. */
    public AccessSetting until(Instant end) {
        return new AccessSetting(status, end, reason, ticket, ifVersion);
    }

    /** Gives a reason. */
    public AccessSetting reason(String why) {
        return new AccessSetting(status, until, why, ticket, ifVersion);
    }

    /** Names a ticket. */
    public AccessSetting ticket(String id) {
        return new AccessSetting(status, until, reason, id, ifVersion);
    }

    /** Makes the write fail with {@link AuthServiceException.VersionMismatch} unless the access has this version. */
    public AccessSetting ifVersion(long version) {
        return new AccessSetting(status, until, reason, ticket, version);
    }
}
