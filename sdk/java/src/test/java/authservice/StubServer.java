package authservice;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** Misbehaves on demand. It serves one request for each connection. */
final class StubServer implements AutoCloseable {
    static final String ACCESS = "{\"userId\":\"ada\",\"appId\":\"billing\",\"status\":\"enabled\",\"explicit\":false,\"until\":null,"
            + "\"reason\":null,\"userStatus\":\"active\",\"effectiveStatus\":\"enabled\",\"decidedBy\":\"default\",\"roles\":[],"
            + "\"version\":3,\"updatedAt\":null}";
    private static final Pattern NONCE = Pattern.compile("nonce=\"([^\"]+)\"");

    /** Answers a request on its connection, which is closed afterwards. */
    interface Reaction {
        void answer(Socket connection, String nonce) throws IOException;
    }

    /** A request as it was received. */
    record Seen(String line, Map<String, String> headers, String body) {
        String nonce() {
            var found = NONCE.matcher(headers.getOrDefault("signature-input", ""));
            return found.find() ? found.group(1) : "";
        }
    }

    /** Closes the connection. */
    static final Reaction DROP = (connection, nonce) -> {};

    /** Sends nothing until the client closes the connection. */
    static final Reaction HANG = (connection, nonce) -> connection.getInputStream().transferTo(OutputStream.nullOutputStream());

    private final ServerSocket listener;
    private final List<Seen> seen = new ArrayList<>();
    private final List<Reaction> reactions;
    private final CountDownLatch firstIsSeen = new CountDownLatch(1);
    private final CountDownLatch firstHasEnded = new CountDownLatch(1);

    /** Starts a server with these reactions to the next requests, in turn; the last one repeats. */
    StubServer(Reaction... reactions) throws IOException {
        this.reactions = new ArrayList<>(List.of(reactions));
        listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        start(this::accept);
    }

    private static void start(Runnable run) {
        var thread = new Thread(run);
        thread.setDaemon(true);
        thread.start();
    }

    static Reaction respond(int status, String body, int length, String... headers) {
        return (connection, nonce) -> {
            var head = "HTTP/1.1 " + status + " Status\r\nContent-Type: application/json\r\nContent-Length: " + length
                    + "\r\nConnection: close\r\nRequest-Nonce: " + nonce + "\r\n";
            for (var header : headers) head += header + "\r\n";
            connection.getOutputStream().write((head + "\r\n" + body).getBytes(UTF_8));
            connection.shutdownOutput();
        };
    }

    static Reaction respond(String body) {
        return respond(200, body, body.getBytes(UTF_8).length);
    }

    /** Sends what begins like this, and then never ends, byte by byte. */
    static Reaction drip(String head) {
        return (connection, nonce) -> {
            connection.getOutputStream().write(head.replace("$nonce", nonce).getBytes(UTF_8));
            try {
                while (true) {
                    connection.getOutputStream().write('x');
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
    }

    private void accept() {
        try {
            while (true) {
                var connection = listener.accept();
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            var request = read(new BufferedInputStream(connection.getInputStream()));
            Reaction reaction;
            synchronized (this) {
                seen.add(request);
                reaction = reactions.size() > 1 ? reactions.remove(0) : reactions.get(0);
            }
            firstIsSeen.countDown();
            reaction.answer(connection, request.nonce());
        } catch (IOException e) {
            // The client has closed the connection.
        } finally {
            firstHasEnded.countDown();
        }
    }

    private static Seen read(InputStream in) throws IOException {
        var line = readLine(in);
        Map<String, String> headers = new TreeMap<>();
        for (var header = readLine(in); !header.isEmpty(); header = readLine(in)) {
            var parts = header.split(": ?", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Seen(line, headers, new String(in.readNBytes(length), UTF_8));
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (var c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) throw new IOException("the request has ended");
            if (c != '\r') line.write(c);
        }
        return line.toString(ISO_8859_1);
    }

    synchronized List<Seen> requests() {
        return List.copyOf(seen);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Waits until a request is received. */
    void awaitRequest() throws InterruptedException {
        firstIsSeen.await();
    }

    /** Waits until the first connection is closed. */
    void awaitEnd() throws InterruptedException {
        firstHasEnded.await();
    }

    ClientOptions options() {
        return new ClientOptions(url(), Kit.KEY);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
