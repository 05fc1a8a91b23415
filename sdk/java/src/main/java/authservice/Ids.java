package authservice;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Ids, as the service checks them, and how they become part of a path. */
final class Ids {
    private static final Pattern USER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9\\-._~!$&'()*+,;=:@|]{1,128}");
    private static final Pattern WEBHOOK = Pattern.compile("[a-z][a-z0-9-]{1,39}");

    private Ids() {}

    static boolean isUser(String id) {
        return id != null && USER.matcher(id).matches();
    }

    /** Requires an id that a user can have, before a request is sent. */
    static void requireUser(String id) {
        if (!isUser(id)) throw new AuthServiceException.InvalidRequest("path:userId is not the id of a user");
    }

    static void requireWebhook(String id) {
        if (id == null || !WEBHOOK.matcher(id).matches()) {
            throw new AuthServiceException.InvalidRequest("path:webhookId is not the id of a webhook");
        }
    }

    /**
     * Percent-encodes all but the unreserved characters (RFC 3986 section 2.3): the service signs the path as it is sent. URLEncoder
     * writes forms of HTML: a space as a plus, a tilde encoded and an asterisk bare.
     */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }
}
