package authservice;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reads JSON (RFC 8259), because the JDK does not. */
final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    /** More than the service nests; a deeper value would exhaust the stack. */
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** A text is not JSON, or not what was expected. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /** Reads one value: Map, List, String, Double, Boolean or null. Of several members with one name the last one counts. */
    static Object parse(String text) {
        var reader = new Json(text);
        var value = reader.value();
        reader.space();
        if (reader.at < text.length()) throw reader.malformed();
        return value;
    }

    static Object parse(byte[] text) {
        try {
            return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString());
        } catch (CharacterCodingException e) {
            throw new Malformed("not UTF-8");
        }
    }

    private Malformed malformed() {
        return new Malformed("not JSON at " + at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    /** Skips spaces, and returns the next character without taking it. */
    private char peek() {
        space();
        if (at == text.length()) throw malformed();
        return text.charAt(at);
    }

    private void take(String expected) {
        if (!text.startsWith(expected, at)) throw malformed();
        at += expected.length();
    }

    private Object value() {
        switch (peek()) {
            case '{':
                return nested(this::object);
            case '[':
                return nested(this::array);
            case '"':
                return string();
            case 't':
                take("true");
                return true;
            case 'f':
                take("false");
                return false;
            case 'n':
                take("null");
                return null;
            default:
                return number();
        }
    }

    private <T> T nested(Supplier<T> read) {
        at++;
        if (++depth > MAX_DEPTH) throw malformed();
        var value = read.get();
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        var members = new LinkedHashMap<String, Object>();
        if (ends('}')) return members;
        do {
            if (peek() != '"') throw malformed();
            var name = string();
            if (peek() != ':') throw malformed();
            at++;
            members.put(name, value());
        } while (continues('}'));
        return Collections.unmodifiableMap(members);
    }

    private List<Object> array() {
        var items = new ArrayList<>();
        if (ends(']')) return items;
        do {
            items.add(value());
        } while (continues(']'));
        return Collections.unmodifiableList(items);
    }

    private boolean ends(char end) {
        if (peek() != end) return false;
        at++;
        return true;
    }

    private boolean continues(char end) {
        if (ends(end)) return false;
        if (peek() != ',') throw malformed();
        at++;
        return true;
    }

    private String string() {
        var found = new StringBuilder();
        for (at++; at < text.length(); at++) {
            var c = text.charAt(at);
            if (c < ' ') throw malformed();
            if (c == '"') {
                at++;
                return found.toString();
            }
            found.append(c == '\\' ? escaped() : c);
        }
        throw malformed();
    }

    /** Reads what follows a backslash, up to its last character. */
    private char escaped() {
        if (++at == text.length()) throw malformed();
        var kind = "\"\\/bfnrtu".indexOf(text.charAt(at));
        if (kind < 0) throw malformed();
        if (kind < 8) return "\"\\/\b\f\n\r\t".charAt(kind);
        var value = 0;
        for (var i = 0; i < 4; i++) {
            var digit = ++at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) throw malformed();
            value = value * 16 + digit;
        }
        return (char) value;
    }

    private Double number() {
        var found = NUMBER.matcher(text).region(at, text.length());
        if (!found.lookingAt()) throw malformed();
        var value = Double.parseDouble(found.group());
        if (Double.isInfinite(value)) throw malformed();
        at = found.end();
        return value;
    }
}
