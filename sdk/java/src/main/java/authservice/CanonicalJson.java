package authservice;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes JSON by the JSON Canonicalization Scheme (RFC 8785), so that the text does not depend on the order of members. */
final class CanonicalJson {
    private CanonicalJson() {}

    /** Writes a value of {@link Json#parse}, an Integer or a Long. */
    static String write(Object value) {
        var text = new StringBuilder();
        write(text, value);
        return text.toString();
    }

    private static void write(StringBuilder text, Object value) {
        if (value == null || value instanceof Boolean) text.append(value);
        else if (value instanceof String given) writeString(text, given);
        else if (value instanceof Number number) text.append(number(number.doubleValue()));
        else if (value instanceof List<?> items) {
            text.append('[');
            for (var i = 0; i < items.size(); i++) {
                if (i > 0) text.append(',');
                write(text, items.get(i));
            }
            text.append(']');
        } else if (value instanceof Map<?, ?> members) writeMembers(text, members);
        else throw new IllegalArgumentException(value.getClass() + " is not JSON");
    }

    /** Orders names by UTF-16 code units (RFC 8785 section 3.2.3), as Java compares strings. */
    private static void writeMembers(StringBuilder text, Map<?, ?> members) {
        var separator = '{';
        for (var member : new TreeMap<Object, Object>(members).entrySet()) {
            text.append(separator);
            writeString(text, (String) member.getKey());
            text.append(':');
            write(text, member.getValue());
            separator = ',';
        }
        text.append(members.isEmpty() ? "{}" : "}");
    }

    /** Escapes only what ECMAScript's JSON.stringify does. Half a surrogate pair has no UTF-8. */
    private static void writeString(StringBuilder text, String given) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(given)) throw new Json.Malformed("a text that is not Unicode");
        text.append('"');
        for (var c : given.toCharArray()) {
            var kind = "\"\\\b\f\n\r\t".indexOf(c);
            if (kind >= 0) text.append('\\').append("\"\\bfnrt".charAt(kind));
            else if (c < ' ') text.append(String.format("\\u%04x", (int) c));
            else text.append(c);
        }
        text.append('"');
    }

    /** Writes a number as ECMAScript does: its shortest digits, with an exponent below 1e-6 and from 1e21 on. */
    static String number(double number) {
        if (number == 0) return "0";
        var shortest = shortest(new BigDecimal(Math.abs(number)), Math.abs(number)).stripTrailingZeros();
        var digits = shortest.unscaledValue().toString();
        var exponent = shortest.precision() - shortest.scale() - 1;
        var sign = number < 0 ? "-" : "";
        if (exponent >= -7 && exponent < 21 && Math.abs(number) >= 1e-6) return sign + shortest.toPlainString();
        var fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }

    /** Finds the fewest digits that mean this number, and of these the nearest. Double.toString does so only from JDK 19 on. */
    private static BigDecimal shortest(BigDecimal exact, double number) {
        for (var precision = 1; precision < 17; precision++) {
            BigDecimal nearest = null;
            for (var mode : new RoundingMode[] {RoundingMode.DOWN, RoundingMode.UP}) {
                var rounded = exact.round(new MathContext(precision, mode));
                if (rounded.doubleValue() != number) continue;
                if (nearest == null || rounded.subtract(exact).abs().compareTo(nearest.subtract(exact).abs()) < 0) nearest = rounded;
            }
            if (nearest != null) return nearest;
        }
        return exact.round(new MathContext(17, RoundingMode.HALF_EVEN));
    }
}
