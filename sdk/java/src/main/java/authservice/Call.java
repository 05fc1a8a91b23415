package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

/**
 * One call of the service.
 *
 * @param path the path below /api/service/, with {userId} for an id
 * @param target the path with the encoded id and the query
 * @param ifMatch null for none
 * @param reads whether the call changes nothing
 */
record Call(String method, String path, String target, byte[] body, String ifMatch, boolean reads) {
    private static final byte[] NO_BODY = {};

    static Call read(String path, String target) {
        return new Call("GET", path, target, NO_BODY, null, true);
    }

    static Call write(String method, String path, String target) {
        return new Call(method, path, target, NO_BODY, null, false);
    }

    /** Gives the members of the body, whose one encoding is signed and sent. */
    Call with(Map<String, Object> members) {
        try {
            return new Call(method, path, target, CanonicalJson.write(members).getBytes(UTF_8), ifMatch, reads);
        } catch (Json.Malformed e) {
            throw new AuthServiceException.InvalidRequest("the body has " + e.getMessage());
        }
    }

    Call ifVersion(Long version) {
        return version == null ? this : new Call(method, path, target, body, "\"" + version + "\"", reads);
    }

    /** Says that a call with a body changes nothing. */
    Call reading() {
        return new Call(method, path, target, body, ifMatch, true);
    }

    String operation() {
        return method + " " + path;
    }
}
