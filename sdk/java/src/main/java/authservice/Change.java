package authservice;

import java.time.Instant;

/**
 * The record of one accepted change. Its action says which; ignore those that you do not know.
 *
 * @param id a ULID: of two changes of a user, the one with the higher id is the later one
 * @param action such as access.changed, role.assigned or user.status.changed
 * @param at null if the change does not say it
 * @param appId null for changes without, like {@code userId}, {@code role} and {@code reason}
 * @param before the state before as JSON; null if there is none
 * @param after the state after as JSON; null if there is none
 * @param raw the whole change as JSON, which {@link ChangeVerifier} verifies
 */
public record Change(
        String id,
        String action,
        Instant at,
        String appId,
        String userId,
        String role,
        String reason,
        String before,
        String after,
        String raw) {
    /** Reads a change of the feed or of a delivery. */
    static Change read(Members given) {
        var id = given.text("id");
        if (id.isEmpty()) throw new Json.Malformed("a change without an id");
        return new Change(
                id,
                given.textOrNull("action"),
                given.timeOrNull("at"),
                given.textOrNull("appId"),
                given.textOrNull("userId"),
                given.textOrNull("role"),
                given.textOrNull("reason"),
                given.jsonOrNull("before"),
                given.jsonOrNull("after"),
                given.toString());
    }
}
