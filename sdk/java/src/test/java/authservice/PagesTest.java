package authservice;

import static authservice.StubServer.respond;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.Test;

/** Changes and snapshots, page by page. */
public class PagesTest {
    private static final String ITEM = "{\"kind\":\"inactive\",\"userId\":\"ada\",\"changeId\":\"\"}";

    @Test
    public void aChangeThatComesAgainIsReturnedOnce() {
        var reader = new ChangesReader(null, null);
        var all = IntStream.rangeClosed(0, ChangesReader.REMEMBERED)
                .mapToObj(id -> Change.read(new Members(Map.of("id", Integer.toString(id)))))
                .toList();
        assertEquals(all, reader.unknown(all));
        // Only so many are remembered, the last ones.
        assertEquals(List.of("0"), reader.unknown(all).stream().map(Change::id).toList());
    }

    private static String page(String items, String cursor, String total) {
        return "{\"items\":[" + items + "],\"cursor\":" + cursor + ",\"total\":" + total
                + ",\"changesCursor\":\"c\",\"rolloutPercent\":100}";
    }

    private static SnapshotReader reader(StubServer server) {
        return new Client(server.options()).snapshot();
    }

    @Test
    public void aSnapshotIsReadToItsEnd() throws Exception {
        try (var server = new StubServer(respond(page(ITEM, "\"a\"", "null")), respond(page(ITEM, "null", "2")))) {
            var reader = reader(server);
            var first = reader.next().orElseThrow();
            assertEquals(Json.parse(ITEM), Json.parse(first.items().get(0)));
            assertEquals(List.of("c", 100.0), List.of(first.changesCursor(), first.rolloutPercent()));
            assertTrue(reader.next().isPresent() && reader.next().isEmpty());
            assertEquals("GET /api/service/access?limit=100&after=a HTTP/1.1", server.requests().get(1).line());
        }
    }

    @Test
    public void aSnapshotIsCompleteOrNone() throws Exception {
        var first = page(ITEM, "\"a\"", "null");
        for (var second : List.of(
                page(ITEM, "null", "3"),
                page(ITEM, "null", "null"),
                first,
                page(ITEM, "\"\"", "null"),
                page("", "null", "1").replace("[]", "null"),
                page("", "null", "1").replace("\"c\"", "\"\""),
                page("", "null", "1").replace("100", "null"))) {
            try (var server = new StubServer(respond(first), respond(second))) {
                var reader = reader(server);
                assertTrue(reader.next().isPresent());
                assertThrows(second, AuthServiceException.UnexpectedAnswer.class, reader::next);
            }
        }
    }
}
