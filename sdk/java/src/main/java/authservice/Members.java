package authservice;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** The members of a JSON object, by their types. A member of another type makes the whole answer unexpected. */
record Members(Map<String, Object> all) {
    static Members parse(byte[] text) {
        return of(Json.parse(text));
    }

    @SuppressWarnings("unchecked")
    static Members of(Object value) {
        if (value instanceof Map<?, ?> members) return new Members((Map<String, Object>) members);
        throw new Json.Malformed("not an object");
    }

    String text(String name) {
        if (all.get(name) instanceof String text) return text;
        throw new Json.Malformed("no text " + name);
    }

    String textOrNull(String name) {
        return all.get(name) == null ? null : text(name);
    }

    double number(String name) {
        if (all.get(name) instanceof Double number) return number;
        throw new Json.Malformed("no number " + name);
    }

    long integer(String name) {
        var number = number(name);
        if (number == Math.rint(number) && Math.abs(number) <= 1L << 53) return (long) number;
        throw new Json.Malformed("no integer " + name);
    }

    boolean flag(String name) {
        if (all.get(name) instanceof Boolean flag) return flag;
        throw new Json.Malformed("no boolean " + name);
    }

    /** Reads a timestamp of the service (RFC 3339). */
    Instant timeOrNull(String name) {
        return all.get(name) == null ? null : parseTime(text(name));
    }

    static Instant parseTime(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new Json.Malformed("not a time");
        }
    }

    List<?> list(String name) {
        if (all.get(name) instanceof List<?> list) return list;
        throw new Json.Malformed("no list " + name);
    }

    List<Members> objects(String name) {
        return list(name).stream().map(Members::of).toList();
    }

    /** Returns a member as JSON. */
    String jsonOrNull(String name) {
        return all.get(name) == null ? null : CanonicalJson.write(all.get(name));
    }

    /** Returns the object as JSON. */
    @Override
    public String toString() {
        return CanonicalJson.write(all);
    }
}
