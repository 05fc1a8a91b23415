package authservice;

import java.util.Optional;

/** Reads a snapshot page by page. It is for one thread. */
public final class SnapshotReader {
    private final Caller caller;
    private String after;
    private int entries;
    private boolean isAtEnd;

    SnapshotReader(Caller caller) {
        this.caller = caller;
    }

    /**
     * Returns the next page; empty after the last one.
     *
     * @throws AuthServiceException.UnexpectedAnswer also if the number of entries does not prove that the snapshot is complete
     */
    public Optional<SnapshotPage> next() {
        if (isAtEnd) return Optional.empty();
        var call = Call.read("access", ChangesReader.target("access", after));
        return Optional.of(caller.send(call, (body, appId) -> read(body)));
    }

    private SnapshotPage read(Members body) {
        var items = body.objects("items").stream().map(Members::toString).toList();
        var page = new SnapshotPage(items, body.text("changesCursor"), body.number("rolloutPercent"));
        var cursor = body.textOrNull("cursor");
        var count = entries + items.size();
        var isComplete = cursor == null && body.all().get("total") != null && body.integer("total") == count;
        var isFollowed = cursor != null && !cursor.isEmpty() && !cursor.equals(after);
        if (page.changesCursor().isEmpty() || !isComplete && !isFollowed) throw new Json.Malformed("no next page");
        entries = count;
        after = cursor;
        isAtEnd = cursor == null;
        return page;
    }
}
