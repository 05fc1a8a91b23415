package authservice;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** The client and the running service, which the variables of the environment name. Each test has a user of its own. */
public class ServiceTest {
    private static final String BASE_URL = System.getenv("BASE_URL");
    private static final Key KEY = new Key(System.getenv("KEY_ID"), System.getenv("SECRET"));

    private static Client client(Key key) {
        return new Client(new ClientOptions(BASE_URL, key).timeout(Duration.ofSeconds(300)));
    }

    private final Client client = client(KEY);

    @Test
    public void everyOperation() {
        var before = client.getAccess("ada");
        assertTrue(client.isAllowed("ada") && before.isEnabled());
        assertEquals("billing", before.appId());
        var until = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
        var block = AccessSetting.disable().until(until).reason("left – “for good”").ticket("INC-1");
        var blocked = client.setAccess("ada", block);
        assertTrue(blocked.changed() && blocked.changeId() != null && !blocked.access().isEnabled());
        var access = blocked.access();
        assertEquals(List.of("explicit", block.reason(), until), List.of(access.decidedBy(), access.reason(), access.until()));
        var enable = AccessSetting.enable().ifVersion(access.version());
        assertTrue(client.setAccess("ada", enable).changed());
        assertThrows(AuthServiceException.VersionMismatch.class, () -> client.setAccess("ada", enable));
        var granted = client.assignRole("ada", Grant.of("editor").expiresAt(until));
        assertTrue(granted.access().may("editor") && !granted.access().may("owner"));
        assertEquals(List.of(new Role("editor", until)), granted.access().roles());
        assertEquals(List.of(), client.revokeRole("ada", Revocation.of("editor")).access().roles());
        var again = client.revokeRole("ada", Revocation.of("editor").reason("again"));
        assertFalse(again.changed());
        assertNull(again.changeId());
        var checked = client.checkAccess(List.of("ada", "nobody"));
        assertTrue(checked.get(0).isEnabled());
        assertEquals(new CheckedAccess("nobody", null), checked.get(1));
        assertFalse(checked.get(1).isEnabled());
    }

    @Test
    public void changesAreReadToTheirEndAndVerified() throws Exception {
        var changed = client.setAccess("grace", AccessSetting.disable().reason("left – “for good”"));
        var all = new ArrayList<Change>();
        var reader = client.changes();
        for (var page = reader.next(); page.isPresent(); page = reader.next()) all.addAll(page.get().items());
        var found = all.stream().filter(change -> change.id().equals(changed.changeId())).findFirst().orElseThrow();
        assertEquals(List.of("access.changed", "grace", "billing"), List.of(found.action(), found.userId(), found.appId()));
        assertTrue(found.after().contains("\"disabled\""));
        // A reader that was at the end goes on.
        var next = client.setAccess("grace", AccessSetting.enable());
        var later = reader.next().orElseThrow();
        assertEquals(next.changeId(), later.items().get(later.items().size() - 1).id());
        var verifier = new ChangeVerifier(new ChangeKeys(BASE_URL));
        verifier.verify(found.raw());
        var altered = found.raw().replace("grace", "eve");
        var refused = assertThrows(ChangeVerifier.NotVerified.class, () -> verifier.verify(altered));
        assertEquals(ChangeVerifier.Reason.ALTERED, refused.reason());
    }

    @Test
    public void theSnapshotNamesWhoIsBlocked() {
        client.setAccess("alan", AccessSetting.disable());
        var reader = client.snapshot();
        var entries = new ArrayList<String>();
        for (var page = reader.next(); page.isPresent(); page = reader.next()) entries.addAll(page.get().items());
        assertTrue(entries.toString(), entries.stream().anyMatch(entry -> entry.contains("\"userId\":\"alan\"")));
    }

    @Test
    public void userIdsArriveAsTheyAre() {
        for (var id : Members.of(Json.parse(System.getenv("USERS"))).list("ids")) {
            assertEquals(id, client.setAccess((String) id, AccessSetting.disable()).access().userId());
            assertFalse(client.isAllowed((String) id));
            assertFalse(client.decide((String) id).isEnabled());
            assertEquals(List.of(), client.revokeRole((String) id, Revocation.of("editor")).access().roles());
        }
    }

    @Test
    public void errorsHaveClasses() {
        assertFalse(client.isAllowed("nobody") || client.isAllowed("a/b") || client.isAllowed(null));
        assertEquals("user_not_found", assertThrows(AuthServiceException.NotFound.class, () -> client.getAccess("nobody")).code());
        assertEquals(Decision.none("nobody", "user_not_found"), client.decide("nobody"));
        assertEquals(Decision.none("a/b", "user_not_found"), client.decide("a/b"));
        var role = assertThrows(AuthServiceException.NotFound.class, () -> client.assignRole("ada", Grant.of("nothing")));
        assertEquals("role_not_found", role.code());
        var tooLong = AccessSetting.disable().reason("x".repeat(300));
        assertThrows(AuthServiceException.InvalidRequest.class, () -> client.setAccess("ada", tooLong));
        assertThrows(AuthServiceException.InvalidRequest.class, () -> client.setAccess("..", AccessSetting.disable()));
        assertThrows(AuthServiceException.InvalidRequest.class, () -> client.revokeRole("ada", Revocation.of("a b")));
        var reader = client(new Key(System.getenv("READER_ID"), System.getenv("READER_SECRET")));
        var forbidden = assertThrows(AuthServiceException.Forbidden.class, () -> reader.setAccess("ada", AccessSetting.disable()));
        assertEquals(List.of("scope_missing", 403, 1), List.of(forbidden.code(), forbidden.status(), forbidden.attempts()));
        assertEquals(403.0, forbidden.problem().get("status"));
        assertNotNull(forbidden.requestId());
        var wrong = client(new Key(KEY.id(), "svs_" + "A".repeat(43)));
        var refused = assertThrows(AuthServiceException.SignatureRejected.class, () -> wrong.isAllowed("ada"));
        assertEquals("signature_mismatch", refused.code());
        assertTrue(refused.getMessage(), refused.getMessage().contains("wrong secret"));
    }
}
