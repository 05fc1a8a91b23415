package authservice;

import java.time.Instant;
import java.util.List;

/**
 * A role that a user holds now.
 *
 * @param name the name of the role, case-sensitive
 * @param expiresAt when the grant expires; null for never
 */
public record Role(String name, Instant expiresAt) {
    /** Reads roles with names; a malformed one makes the whole answer unexpected. */
    static List<Role> listOf(Members given) {
        return given.objects("roles").stream().map(role -> new Role(role.text("name"), role.timeOrNull("expiresAt"))).toList();
    }
}
