package authservice;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Reads the changes that concern the application, page by page. It is for one thread. */
public final class ChangesReader {
    static final int REMEMBERED = 1000;

    private final Caller caller;
    private String after;
    private boolean isAtEnd;
    /** The changes that were returned last, in their order. */
    private final LinkedHashSet<String> known = new LinkedHashSet<>();

    ChangesReader(Caller caller, String after) {
        this.caller = caller;
        this.after = after;
    }

    private record Page(List<Change> items, String cursor, boolean more) {}

    /**
     * Returns the next page with changes that were not returned before; empty if there is none now. Call it again later,
     * or after an error, and it continues: every few seconds to follow the changes.
     */
    public Optional<ChangePage> next() {
        while (!isAtEnd) {
            var page = read();
            after = page.cursor();
            isAtEnd = !page.more();
            var items = unknown(page.items());
            if (!items.isEmpty()) return Optional.of(new ChangePage(items, page.cursor()));
        }
        isAtEnd = false;
        return Optional.empty();
    }

    /** Returns the changes that were not returned before: they are repeated until they have a number. */
    List<Change> unknown(List<Change> changes) {
        var items = new ArrayList<Change>();
        for (var change : changes) {
            if (known.add(change.id())) items.add(change);
        }
        var oldest = known.iterator();
        for (var excess = known.size() - REMEMBERED; excess > 0; excess--) {
            oldest.next();
            oldest.remove();
        }
        return List.copyOf(items);
    }

    private Page read() {
        return caller.send(Call.read("changes", target("changes", after)), (body, appId) -> {
            var cursor = body.text("cursor");
            var more = body.flag("more");
            if (cursor.isEmpty() || more && cursor.equals(after)) throw new Json.Malformed("no next page");
            return new Page(body.objects("items").stream().map(Change::read).toList(), cursor, more);
        });
    }

    static String target(String path, String after) {
        return path + "?limit=100" + (after == null || after.isEmpty() ? "" : "&after=" + Ids.encode(after));
    }
}
