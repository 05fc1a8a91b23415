package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.Test;

/** The signed changes of the conformance kit, and how their keys are fetched. */
public class ChangesTest {
    private static String reasonOf(String change, KeyFinder keys) throws InterruptedException {
        try {
            new ChangeVerifier(keys).verify(change);
            return "verified";
        } catch (ChangeVerifier.NotVerified e) {
            return e.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static byte[] keysOf(Members given) {
        return given.jsonOrNull("keys").getBytes(UTF_8);
    }

    @Test
    public void areVerifiedAsTheKitSays() throws Exception {
        for (var each : Kit.cases("changes")) {
            var given = (Members) each[1];
            var reason = reasonOf(given.text("change"), KeySet.parse(keysOf(given)));
            assertEquals(given.text("name"), given.text("expected"), reason);
        }
    }

    @Test
    public void whatIsNoChangeIsNotVerified() throws Exception {
        var keys = KeySet.parse("{\"keys\":[]}".getBytes(UTF_8));
        for (var change : List.of("", "null", "[]", "{} {}", "{\"signature\":null}", "{\"signature\":1}")) {
            assertTrue(change, !reasonOf(change, keys).equals("verified"));
        }
        for (var body : List.of("", "[]", "{}", "{\"keys\":[1]}")) {
            assertThrows(IllegalArgumentException.class, () -> KeySet.parse(body.getBytes(UTF_8)));
        }
    }

    @Test
    public void aKeyOfAnotherLengthIsNone() throws Exception {
        var given = (Members) Kit.cases("changes").get(0)[1];
        for (var x : List.of("", "AAAA", "A".repeat(86), "?")) {
            var set = "{\"keys\":[{\"kid\":\"k1\",\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + x + "\"}]}";
            var keys = KeySet.parse(set.getBytes(UTF_8));
            assertEquals(x, "unknown-key", reasonOf(given.text("change"), keys));
        }
    }

    @Test
    public void theKeysAreFetchedWhenTheyAreNeeded() throws Exception {
        var given = (Members) Kit.cases("changes").get(0)[1];
        var change = given.text("change");
        var time = new Kit.VirtualTime();
        var answers = new ArrayDeque<Object>();
        var keys = new ChangeKeys(Kit.ORIGIN, time, (request, timeout) -> {
            assertEquals(Kit.ORIGIN + "/api/service/change-keys", request.uri().toString());
            if (answers.remove() instanceof byte[] body) return new Answer(200, HttpHeaders.of(Map.of(), (a, b) -> true), body);
            throw new IOException("no answer");
        });
        var none = "{\"keys\":[]}".getBytes(UTF_8);
        answers.add("nothing");
        assertEquals("keys-unavailable", reasonOf(change, keys));
        // Within the pause nothing is fetched.
        assertEquals("keys-unavailable", reasonOf(change, keys));
        time.sleep(Duration.ofMinutes(1));
        answers.add(none);
        assertEquals("unknown-key", reasonOf(change, keys));
        time.sleep(Duration.ofMinutes(1));
        answers.add(keysOf(given));
        assertEquals("verified", reasonOf(change, keys));
        assertEquals("verified", reasonOf(change, keys));
        time.sleep(Duration.ofHours(1));
        answers.add("nothing");
        assertEquals("known keys are used while the service does not answer", "verified", reasonOf(change, keys));
        time.sleep(Duration.ofMinutes(1));
        answers.add(none);
        assertEquals("unknown-key", reasonOf(change, keys));
        assertTrue(answers.isEmpty());
    }
}
