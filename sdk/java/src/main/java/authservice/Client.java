package authservice;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads and changes access as one application, with its API key.
 *
 * <p>Each request is signed. After a 429, a 503 or a lost response the client retries with the nonce of the call and a new signature,
 * so a write takes effect only once: a retry returns the outcome of the first request, whatever has changed since. It fails closed: an
 * error or an unexpected response never counts as enabled.
 *
 * <p>One client serves any number of threads. A call that fails throws an {@link AuthServiceException}.
 */
public final class Client implements Decider {
    static final String USER_NOT_FOUND = "user_not_found";
    /** A time with milliseconds, which are always written. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private final Caller caller;

    /**
     * Creates a client, which sends nothing yet.
     *
     * @throws IllegalArgumentException for an address that is not valid
     */
    public Client(ClientOptions options) {
        this(options, Clocks.SYSTEM, exchangerOf(options));
    }

    Client(ClientOptions options, Clocks clocks, Exchanger exchanger) {
        this(new Caller(
                ClientOptions.origin(options.baseUrl, options.allowHttp),
                options.key,
                options.hooks,
                new Circuit(options.circuitTimeouts, options.circuitOpen, clocks::monotonic),
                clocks,
                exchanger,
                options.timeout,
                options.maxAttempts,
                new AtomicReference<>(Duration.ZERO)));
    }

    private Client(Caller caller) {
        this.caller = caller;
    }

    private static Exchanger exchangerOf(ClientOptions options) {
        return options.httpClient == null ? HttpExchanger.standard() : new HttpExchanger(options.httpClient);
    }

    /** Returns the same client, with the same connections and circuit, whose calls may take this long; at most 300 seconds. */
    public Client within(Duration timeout) {
        return new Client(caller.within(ClientOptions.requireTimeout(timeout)));
    }

    /** Returns whether the user has access to the application now: false for unknown users and invalid ids. */
    public boolean isAllowed(String userId) {
        try {
            return getAccess(userId).isEnabled();
        } catch (AuthServiceException e) {
            // An unknown user, or an invalid id: nothing else in a read can be invalid.
            if (e.code().equals(USER_NOT_FOUND) || e.code().equals("invalid_request")) return false;
            throw e;
        }
    }

    /**
     * Reads the user's access to the application.
     *
     * @throws AuthServiceException.NotFound for an unknown user
     */
    public Access getAccess(String userId) {
        Ids.requireUser(userId);
        var call = Call.read("users/{userId}/access", "users/" + Ids.encode(userId) + "/access");
        return caller.send(call, (body, appId) -> Access.read(body, userId, appId));
    }

    /** Reads the access of up to 100 users: for each id, in the same order, the access or that there is no such user. */
    public List<CheckedAccess> checkAccess(List<String> userIds) {
        var ids = List.copyOf(userIds);
        var call = Call.write("POST", "access/check", "access/check").with(Map.of("userIds", ids)).reading();
        return caller.send(call, (body, appId) -> CheckedAccess.listOf(body, ids, appId));
    }

    /** Enables or disables the user's access. */
    public ChangedAccess setAccess(String userId, AccessSetting setting) {
        var body = reasoned(setting.reason(), setting.ticket());
        body.put("status", setting.status().text);
        putTime(body, "until", setting.until());
        return write("PUT", "users/{userId}/access", userId, body, setting.ifVersion());
    }

    /** Assigns a role of the application to the user. */
    public ChangedAccess assignRole(String userId, Grant grant) {
        var body = reasoned(grant.reason(), grant.ticket());
        body.put("role", grant.role());
        putTime(body, "expiresAt", grant.expiresAt());
        return write("POST", "roles/{userId}/assign", userId, body, grant.ifVersion());
    }

    /** Revokes a role of the application from the user. */
    public ChangedAccess revokeRole(String userId, Revocation revocation) {
        var path = "users/{userId}/revoke";
        var body = reasoned(revocation.reason(), revocation.ticket());
        if (!body.isEmpty()) {
            body.put("role", revocation.role());
            return write("DELETE", path, userId, body, revocation.ifVersion());
        }
        Ids.requireUser(userId);
        // The names of roles have a smaller alphabet.
        if (!Ids.isUser(revocation.role())) throw new AuthServiceException.InvalidRequest("query:role is not the name of a role");
        // In the query, because some proxies drop the body of a DELETE.
        var target = path.replace("{userId}", Ids.encode(userId)) + "?role=" + Ids.encode(revocation.role());
        return change(Call.write("DELETE", path, target).ifVersion(revocation.ifVersion()), userId);
    }

    private ChangedAccess write(String method, String path, String userId, Map<String, Object> body, Long ifVersion) {
        Ids.requireUser(userId);
        var target = path.replace("{userId}", Ids.encode(userId));
        return change(Call.write(method, path, target).with(body).ifVersion(ifVersion), userId);
    }

    private ChangedAccess change(Call call, String userId) {
        return caller.send(call, (body, appId) -> ChangedAccess.read(body, userId, appId));
    }

    private static Map<String, Object> reasoned(String reason, String ticket) {
        var body = new HashMap<String, Object>();
        if (reason != null) body.put("reason", reason);
        if (ticket != null) body.put("ticket", ticket);
        return body;
    }

    private static void putTime(Map<String, Object> body, String name, Instant time) {
        if (time != null) body.put(name, TIME.format(time));
    }

    /**
     * Reads the changes that concern the application, from the beginning of its history. After an interruption, unprocessed pages are
     * delivered again, and so may be the latest changes.
     */
    public ChangesReader changes() {
        return changesAfter(null);
    }

    /** Reads the changes behind the cursor of a page that you store. */
    public ChangesReader changesAfter(String cursor) {
        return new ChangesReader(caller, cursor);
    }

    /** Reads everything that differs from the default. */
    public SnapshotReader snapshot() {
        return new SnapshotReader(caller);
    }

    /**
     * Returns all webhooks of the application, at most five, by id. The key needs the scope webhooks:write, and the deployment has
     * webhooks.
     */
    public List<Webhook> listWebhooks() {
        return caller.send(
                Call.read("webhooks", "webhooks"), (body, appId) -> body.objects("items").stream().map(Webhook::read).toList());
    }

    /** Creates a webhook or sets all of it, so an application can call this whenever it starts. */
    public IssuedWebhook setWebhook(String webhookId, WebhookSetting setting) {
        var call = webhookCall("PUT", webhookId, "").with(setting.members()).ifVersion(setting.ifVersion());
        return caller.send(call, (body, appId) -> IssuedWebhook.read(body, webhookId));
    }

    /** Replaces the secret. Until the end of the overlap each delivery has two signatures. */
    public IssuedWebhook rotateWebhookSecret(String webhookId, Duration overlap) {
        var call = webhookCall("POST", webhookId, "/rotate").with(Map.of("overlap", "PT" + overlap.toSeconds() + "S"));
        return caller.send(call, (body, appId) -> IssuedWebhook.read(body, webhookId));
    }

    /**
     * Deletes a webhook.
     *
     * @throws AuthServiceException.NotFound if there is none with this id
     */
    public void deleteWebhook(String webhookId) {
        caller.send(webhookCall("DELETE", webhookId, ""), (body, appId) -> {
            if (!body.flag("complete")) throw new Json.Malformed("not deleted");
            return body;
        });
    }

    private static Call webhookCall(String method, String webhookId, String action) {
        Ids.requireWebhook(webhookId);
        return Call.write(method, "webhooks/{webhookId}" + action, "webhooks/" + webhookId + action);
    }

    /** Asks the service about the user. An unknown user is a decision, with the code user_not_found. */
    @Override
    public Decision decide(String userId) {
        // The service rejects an id that cannot be one: that is decided here.
        if (!Ids.isUser(userId)) return Decision.none(userId, USER_NOT_FOUND);
        try {
            var access = getAccess(userId);
            return new Decision(userId, access.effectiveStatus(), access.decidedBy(), access.roles(), null, access.reason());
        } catch (AuthServiceException.NotFound e) {
            if (e.code().equals(USER_NOT_FOUND)) return Decision.none(userId, USER_NOT_FOUND);
            throw e;
        }
    }

    /** Returns the address of the service. */
    @Override
    public String toString() {
        return "Client[" + caller.origin() + "]";
    }
}
