package authservice;

import java.util.ArrayList;
import java.util.List;

/**
 * The result for one of several users.
 *
 * @param userId the id, as asked
 * @param access null if the id matches no user, who has no access
 */
public record CheckedAccess(String userId, Access access) {
    /** Returns whether the user may enter. */
    public boolean isEnabled() {
        return access != null && access.isEnabled();
    }

    /** Reads an answer about each of these users, in this order. */
    static List<CheckedAccess> listOf(Members given, List<String> userIds, String appId) {
        var items = given.objects("items");
        if (items.size() != userIds.size()) throw new Json.Malformed("not one answer for each user");
        var checked = new ArrayList<CheckedAccess>();
        for (var i = 0; i < items.size(); i++) {
            var item = items.get(i);
            var userId = userIds.get(i);
            var isUnknown = Client.USER_NOT_FOUND.equals(item.all().get("code")) && userId.equals(item.all().get("userId"));
            checked.add(new CheckedAccess(userId, isUnknown ? null : Access.read(item, userId, appId)));
        }
        return List.copyOf(checked);
    }
}
