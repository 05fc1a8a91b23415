package authservice;

import static authservice.StubServer.ACCESS;
import static authservice.StubServer.DROP;
import static authservice.StubServer.HANG;
import static authservice.StubServer.drip;
import static authservice.StubServer.respond;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.Test;

/** Requests over sockets, to a server that misbehaves. */
public class TransportTest {
    private static final String DRIPPED_BODY = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nRequest-Nonce: $nonce\r\n\r\n";

    @Test
    public void sendWhatWasSignedAndNothingElse() throws Exception {
        try (var server = new StubServer(respond(ACCESS))) {
            assertTrue(new Client(server.options()).isAllowed("ada"));
            var request = server.requests().get(0);
            assertEquals("GET /api/service/users/ada/access HTTP/1.1", request.line());
            assertEquals(HttpExchanger.USER_AGENT, request.headers().get("user-agent"));
            var names = List.of("accept", "host", "signature", "signature-input", "user-agent");
            request.headers().keySet().removeAll(List.of("connection", "content-length"));
            assertEquals(names, List.copyOf(request.headers().keySet()));
        }
    }

    @Test
    public void theBytesThatAreSignedAreThoseThatAreSent() throws Exception {
        var changed = ACCESS.replaceAll("}$", ",\"changed\":true,\"changeId\":null}");
        try (var server = new StubServer(respond(changed))) {
            var reason = "gekündigt – “für immer” <&>";
            var client = new Client(server.options());
            assertTrue(client.setAccess("ada", AccessSetting.disable().reason(reason).ifVersion(3)).changed());
            var request = server.requests().get(0);
            assertEquals("{\"reason\":\"" + reason + "\",\"status\":\"disabled\"}", request.body());
            var digest = MessageDigest.getInstance("SHA-256").digest(request.body().getBytes(UTF_8));
            assertEquals("sha-256=:" + RequestSigner.base64(digest) + ":", request.headers().get("content-digest"));
            assertEquals("\"3\"", request.headers().get("if-match"));
            assertEquals("application/json", request.headers().get("content-type"));
            var broken = AccessSetting.disable().reason("\ud83d");
            assertThrows(AuthServiceException.InvalidRequest.class, () -> client.setAccess("ada", broken));
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    public void aFailureIsRetriedInTime() throws Exception {
        var dripped = List.of(drip("HTTP/1.1 200 OK\r\nX: "), drip(DRIPPED_BODY));
        var cut = respond(200, ACCESS, 999);
        for (var failing : List.of(DROP, HANG, dripped.get(0), dripped.get(1), cut, respond(503, "", 0))) {
            try (var server = new StubServer(failing, failing, respond(ACCESS))) {
                assertTrue(new Client(server.options().timeout(Duration.ofSeconds(6))).isAllowed("ada"));
                // The JDK itself sends a GET again whose connection was closed without an answer, with the same bytes.
                var sent = server.requests().size();
                assertTrue("requests: " + sent, sent >= 3);
                assertEquals(List.of(1, failing == DROP ? sent - 1 : sent), noncesAndSignatures(server));
            }
        }
    }

    @Test
    public void aWriteIsSentOnlyOnceWithOneSignature() throws Exception {
        var changed = ACCESS.replaceAll("}$", ",\"changed\":true,\"changeId\":null}");
        try (var server = new StubServer(DROP, DROP, respond(changed))) {
            new Client(server.options()).setAccess("ada", AccessSetting.enable());
            assertEquals(List.of(1, 3), noncesAndSignatures(server));
            assertEquals(3, server.requests().size());
        }
    }

    private static List<Integer> noncesAndSignatures(StubServer server) {
        var nonces = new HashSet<String>();
        var signatures = new HashSet<String>();
        server.requests().forEach(request -> nonces.add(request.nonce()));
        server.requests().forEach(request -> signatures.add(request.headers().get("signature")));
        return List.of(nonces.size(), signatures.size());
    }

    @Test
    public void aCallEndsInTimeEvenIfBytesKeepArriving() throws Exception {
        for (var endless : List.of(HANG, drip("HTTP/1.1 200 OK\r\nX: "), drip(DRIPPED_BODY))) {
            try (var server = new StubServer(endless)) {
                var client = new Client(server.options().maxAttempts(1)).within(Duration.ofMillis(500));
                var failure = assertThrows(AuthServiceException.Unavailable.class, () -> client.isAllowed("ada"));
                assertEquals("no_answer", failure.code());
                assertTrue(failure.timedOut());
                // The connection does not stay open.
                server.awaitEnd();
            }
        }
    }

    @Test
    public void anInterruptedCallIsAborted() throws Exception {
        try (var server = new StubServer(HANG)) {
            var told = new ArrayList<Hooks.Response>();
            var client = new Client(server.options().timeout(Duration.ofSeconds(300)).maxAttempts(1).hooks(new Hooks() {
                @Override
                public void onResponse(Response response) {
                    told.add(response);
                }
            }));
            var ended = new CompletableFuture<AuthServiceException>();
            var later = new CompletableFuture<AuthServiceException>();
            var thread = new Thread(() -> {
                ended.complete(assertThrows(AuthServiceException.class, () -> client.isAllowed("ada")));
                // The thread stays interrupted, so it sends nothing more.
                later.complete(assertThrows(AuthServiceException.class, () -> client.isAllowed("ada")));
            });
            thread.start();
            server.awaitRequest();
            thread.interrupt();
            assertEquals("aborted", ended.get().code());
            assertEquals(AuthServiceException.class, ended.get().getClass());
            assertEquals(List.of("aborted", 0), List.of(later.get().code(), later.get().attempts()));
            server.awaitEnd();
            assertEquals(1, server.requests().size());
            assertEquals("aborted", told.get(0).code());
        }
    }

    @Test
    public void anInterruptedPauseEndsTheCall() throws Exception {
        try (var server = new StubServer(respond(503, "", 0, "Retry-After: 60"))) {
            var client = new Client(server.options().timeout(Duration.ofSeconds(100)).hooks(new Hooks() {
                @Override
                public void onRetry(Retry retry) {
                    Thread.currentThread().interrupt();
                }
            }));
            assertEquals("aborted", assertThrows(AuthServiceException.class, () -> client.isAllowed("ada")).code());
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    public void aPauseOfCenturiesIsNotTheShortestOne() throws Exception {
        for (var header : List.of("Fri, 31 Dec 9999 23:59:59 GMT", "999999999")) {
            try (var server = new StubServer(respond(503, "", 0, "Retry-After: " + header))) {
                assertThrows(AuthServiceException.Unavailable.class, () -> new Client(server.options()).isAllowed("ada"));
                assertEquals(header, 1, server.requests().size());
            }
        }
    }

    @Test
    public void aRedirectIsNotFollowed() throws Exception {
        for (var status : List.of(301, 302, 303, 307, 308)) {
            var redirect = respond(status, ACCESS, ACCESS.length(), "Location: /elsewhere", "Set-Cookie: a=b");
            try (var server = new StubServer(redirect)) {
                assertThrows(AuthServiceException.UnexpectedAnswer.class, () -> new Client(server.options()).isAllowed("ada"));
                assertEquals(1, server.requests().size());
            }
        }
    }

    @Test
    public void theProxiesOfTheSystemAreNotUsed() throws Exception {
        var before = ProxySelector.getDefault();
        try (var server = new StubServer(respond(ACCESS));
                var proxy = new StubServer(respond(ACCESS))) {
            var selector = ProxySelector.of(new InetSocketAddress("127.0.0.1", URI.create(proxy.url()).getPort()));
            ProxySelector.setDefault(selector);
            assertTrue(new Client(server.options()).isAllowed("ada"));
            assertEquals(List.of(1, 0), List.of(server.requests().size(), proxy.requests().size()));
            var client = HttpClient.newBuilder().proxy(selector).build();
            var options = new ClientOptions("http://auth.example.com", Kit.KEY).allowHttp().httpClient(client);
            assertTrue("the client of the application", new Client(options).isAllowed("ada"));
            assertEquals("GET http://auth.example.com/api/service/users/ada/access HTTP/1.1", proxy.requests().get(0).line());
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    @Test
    public void anotherHttpClientMustSendOnlyWhatWasSigned() {
        for (var builder : List.of(
                HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL),
                HttpClient.newBuilder().cookieHandler(new CookieManager()),
                HttpClient.newBuilder().authenticator(new Authenticator() {}))) {
            var client = builder.build();
            assertThrows(IllegalArgumentException.class, () -> new ClientOptions(Kit.ORIGIN, Kit.KEY).httpClient(client));
        }
    }

    @Test
    public void anHttpClientThatRefusesIsNoAnswer() throws Exception {
        var ended = Executors.newSingleThreadExecutor();
        ended.shutdownNow();
        var options = new ClientOptions(Kit.ORIGIN, Kit.KEY).httpClient(HttpClient.newBuilder().executor(ended).build());
        var client = new Client(options.maxAttempts(1));
        assertEquals("no_answer", assertThrows(AuthServiceException.Unavailable.class, () -> client.isAllowed("ada")).code());
    }

    @Test
    public void anAnswerThatIsTooLongIsNone() throws Exception {
        var tooLong = ACCESS.replaceAll("}$", " ".repeat(HttpExchanger.MAX_ANSWER_BYTES) + "}");
        try (var server = new StubServer(respond(tooLong))) {
            var client = new Client(server.options().maxAttempts(1));
            assertEquals("no_answer", assertThrows(AuthServiceException.class, () -> client.isAllowed("ada")).code());
        }
    }

    @Test
    public void anAccessWithoutWhatADecisionNeedsIsNone() throws Exception {
        for (var body : List.of(
                ACCESS.replace("\"roles\":[]", "\"roles\":null"),
                ACCESS.replace("\"roles\":[],", ""),
                ACCESS.replace("\"roles\":[]", "\"roles\":[{\"expiresAt\":null}]"),
                ACCESS.replace("\"roles\":[]", "\"roles\":[{\"name\":\"a\",\"expiresAt\":\"soon\"}]"),
                ACCESS.replace("\"until\":null", "\"until\":\"soon\""),
                ACCESS.replace("\"effectiveStatus\":\"enabled\",", ""),
                ACCESS.replace("\"version\":3", "\"version\":3.5"),
                "[" + ACCESS + "]")) {
            try (var server = new StubServer(respond(body))) {
                assertThrows(body, AuthServiceException.UnexpectedAnswer.class, () -> new Client(server.options()).isAllowed("ada"));
            }
        }
    }

    @Test
    public void hooksLearnOfRequests() throws Exception {
        try (var server = new StubServer(respond(503, "", 0, "Apigw-Requestid: R"), respond(ACCESS))) {
            var told = new ArrayList<String>();
            new Client(server.options().hooks(new Hooks() {
                @Override
                public void onRequest(Request request) {
                    told.add("request " + request.operation() + " " + request.attempt());
                }

                @Override
                public void onResponse(Response response) {
                    assertTrue(response.duration().toNanos() > 0);
                    told.add("response " + response.request().attempt() + " " + response.status() + response.requestId() + response.code());
                }

                @Override
                public void onRetry(Retry retry) {
                    told.add("retry " + retry.code());
                }
            })).isAllowed("ada");
            var operation = "GET users/{userId}/access";
            var first = List.of("request " + operation + " 1", "response 1 503Runavailable", "retry unavailable");
            var second = List.of("request " + operation + " 2", "response 2 200null");
            assertEquals(List.of(first, second), List.of(told.subList(0, 3), told.subList(3, told.size())));
        }
    }

    @Test
    public void theKeyOfASourceIsReadOncePerCall() throws Exception {
        try (var server = new StubServer(respond(503, "", 0), respond(ACCESS))) {
            var timeouts = new ArrayList<Duration>();
            assertTrue(new Client(new ClientOptions(server.url(), timeout -> {
                timeouts.add(timeout);
                return Kit.KEY;
            })).isAllowed("ada"));
            // With another key, the nonce would be that of another call.
            assertEquals(List.of(1, 2), List.of(timeouts.size(), server.requests().size()));
            assertTrue(timeouts.get(0).compareTo(Duration.ofSeconds(3)) < 0);
            var wrong = new Client(new ClientOptions(server.url(), timeout -> new Key(Kit.KEY.id(), "svs_short")));
            var refused = assertThrows(AuthServiceException.SignatureRejected.class, () -> wrong.isAllowed("ada"));
            assertEquals("key_invalid", refused.code());
            assertFalse(refused.getMessage().contains("svs_short"));
            var failing = new Client(new ClientOptions(server.url(), timeout -> {
                timeouts.add(timeout);
                throw new IOException("no secret store");
            }).maxAttempts(2));
            assertEquals(0, assertThrows(AuthServiceException.Unavailable.class, () -> failing.isAllowed("ada")).attempts());
            assertEquals(List.of(3, 2), List.of(timeouts.size(), server.requests().size()));
        }
    }

    @Test
    public void theWebhooksOfTheApplication() throws Exception {
        var webhook = "{\"webhookId\":\"backend\",\"url\":\"https://billing.example.com/hooks\",\"format\":\"standard\",\"enabled\":true,"
                + "\"events\":[\"access.changed\"],\"state\":\"on\",\"lastError\":null,\"version\":1";
        try (var server = new StubServer(
                respond("{\"items\":[" + webhook + "}],\"cursor\":null}"),
                respond(webhook + ",\"changed\":false,\"secret\":\"whsec_abc\"}"),
                respond(webhook + ",\"secret\":\"whsec_def\"}"),
                respond("{\"complete\":true}"),
                respond("{\"complete\":false}"),
                respond(webhook.replace("backend", "other") + "}"))) {
            var client = new Client(server.options());
            var setting = WebhookSetting.to("https://billing.example.com/hooks");
            assertEquals(List.of("access.changed"), client.listWebhooks().get(0).events());
            var created = client.setWebhook("backend", setting.events(List.of("access.changed")).ifVersion(0));
            assertEquals(List.of(false, "whsec_abc"), List.of(created.changed(), created.secret()));
            assertFalse(created.toString().contains("whsec"));
            var rotated = client.rotateWebhookSecret("backend", Duration.ofDays(1));
            assertEquals(List.of(true, "whsec_def"), List.of(rotated.changed(), rotated.secret()));
            client.deleteWebhook("backend");
            assertThrows(AuthServiceException.UnexpectedAnswer.class, () -> client.deleteWebhook("backend"));
            var paused = setting.pause().format("set");
            assertThrows(AuthServiceException.UnexpectedAnswer.class, () -> client.setWebhook("backend", paused));
            assertThrows(AuthServiceException.InvalidRequest.class, () -> client.deleteWebhook("../x"));
            var sent = server.requests().stream().map(request -> request.line() + " " + request.body()).toList();
            var path = " /api/service/webhooks";
            var url = "\"url\":\"https://billing.example.com/hooks\"";
            assertEquals(
                    List.of(
                            "GET" + path + " HTTP/1.1 ",
                            "PUT" + path + "/backend HTTP/1.1 {\"events\":[\"access.changed\"]," + url + "}",
                            "POST" + path + "/backend/rotate HTTP/1.1 {\"overlap\":\"PT86400S\"}",
                            "DELETE" + path + "/backend HTTP/1.1 ",
                            "DELETE" + path + "/backend HTTP/1.1 ",
                            "PUT" + path + "/backend HTTP/1.1 {\"enabled\":false,\"format\":\"set\"," + url + "}"),
                    sent);
            assertEquals("\"0\"", server.requests().get(1).headers().get("if-match"));
            assertNull(server.requests().get(2).headers().get("if-match"));
        }
    }

    @Test
    public void onlyUnreservedCharactersOfAnIdAreBare() {
        assertEquals("~%2A%20%2B%7C%27%C3%A9", Ids.encode("~* +|'é"));
    }

    @Test
    public void optionsAreChecked() {
        for (var address : List.of(
                "http://auth.example.com", "https://user@auth.example.com", "https://auth.example.com/other", "https://auth.example.com?x",
                "https://auth.example.com:port", "https://auth.example.com:65536", "ftp://auth.example.com", "https://:443",
                "https://a\\b", "", "https://auth.example.com\n", "https://" + Kit.KEY.secret() + "@x")) {
            var options = new ClientOptions(address, Kit.KEY);
            var refused = assertThrows(address, IllegalArgumentException.class, () -> new Client(options));
            assertFalse(refused.getMessage().contains("svs_"));
        }
        var given = List.of(
                "https://Auth.Example.com/", "https://auth.example.com:443/api/service/", "https://auth.example.com:8443/api/service",
                "http://localhost:3000", "http://[::1]:3000");
        var read = given.stream().map(address -> new Client(new ClientOptions(address, Kit.KEY)).toString()).toList();
        var origins = List.of(
                "https://auth.example.com", "https://auth.example.com", "https://auth.example.com:8443", "http://localhost:3000",
                "http://[::1]:3000");
        assertEquals(origins.stream().map(origin -> "Client[" + origin + "]").toList(), read);
        var options = new ClientOptions(Kit.ORIGIN, Kit.KEY);
        for (var wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofSeconds(301))) {
            assertThrows(IllegalArgumentException.class, () -> options.timeout(wrong));
            assertThrows(IllegalArgumentException.class, () -> new Client(options).within(wrong));
        }
        for (var wrong : List.of(0, 101)) assertThrows(IllegalArgumentException.class, () -> options.maxAttempts(wrong));
        assertThrows(IllegalArgumentException.class, () -> options.circuit(-1, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> options.circuit(1, Duration.ZERO));
    }
}
