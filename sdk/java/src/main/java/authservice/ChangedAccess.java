package authservice;

/**
 * The response to a write.
 *
 * @param access the access after the write
 * @param changed whether the request changed anything; false if the access was already in this state
 * @param changeId the id of the change that the request made; null if nothing changed
 */
public record ChangedAccess(Access access, boolean changed, String changeId) {
    static ChangedAccess read(Members given, String userId, String appId) {
        return new ChangedAccess(Access.read(given, userId, appId), given.flag("changed"), given.textOrNull("changeId"));
    }
}
