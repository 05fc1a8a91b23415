package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The JSON of answers and bodies. */
public class JsonTest {
    @Test
    public void isReadAndWrittenCanonically() {
        var text = " { \"b\" : [ 1.50 , -0, 1E2, true , null,\"\\u00e9\\n\\/\\ud83d\\ude00\" ] , \"a\":{}, \"c\":[] , \"c\": [ ] } ";
        assertEquals("{\"a\":{},\"b\":[1.5,0,100,true,null,\"é\\n/😀\"],\"c\":[]}", CanonicalJson.write(Json.parse(text)));
        assertEquals("\"\\u0001\\b\\f\\r\\t\\\"\\\\\"", CanonicalJson.write(Json.parse("\"\\u0001\\b\\f\\r\\t\\\"\\\\\"")));
        assertEquals(Map.of("a", 2.0), Json.parse("{\"a\":1,\"a\":2}"));
    }

    @Test
    public void numbersAreWrittenAsByECMAScript() {
        // Half of these are not the shortest in Double.toString of JDK 17. The texts are those of RFC 8785, appendix B, and of Node.js.
        var texts = Map.ofEntries(
                Map.entry(5e-324, "5e-324"),
                Map.entry(-1.7976931348623157e308, "-1.7976931348623157e+308"),
                Map.entry(9007199254740992.0, "9007199254740992"),
                Map.entry(295147905179352830000.0, "295147905179352830000"),
                Map.entry(9.999999999999997e22, "9.999999999999997e+22"),
                Map.entry(1e23, "1e+23"),
                Map.entry(2e23, "2e+23"),
                Map.entry(2.0e-3, "0.002"),
                Map.entry(0.000001, "0.000001"),
                Map.entry(9.5367431640625e-7, "9.5367431640625e-7"),
                Map.entry(333333333.33333329, "333333333.3333333"),
                Map.entry(1424953923781206.25, "1424953923781206.2"),
                Map.entry(5.684341886080802e-14, "5.684341886080802e-14"),
                Map.entry(1e21, "1e+21"),
                Map.entry(33.33, "33.33"));
        texts.forEach((number, text) -> assertEquals(text, CanonicalJson.number(number)));
    }

    @Test
    public void anythingElseIsMalformed() {
        var wrong = List.of(
                "", "{", "[", "\"", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "NaN", "1e999", "tru", "\"\\x\"",
                "\"\\u12g4\"", "\"\\u١٢٣٤\"", "\"\n\"", "1 2", "{} x", "[".repeat(101) + "]".repeat(101), "'a'", "\u00a01");
        for (var text : wrong) assertThrows(text, Json.Malformed.class, () -> Json.parse(text));
        assertThrows(Json.Malformed.class, () -> Json.parse(new byte[] {'"', (byte) 0xff, '"'}));
        assertThrows(Json.Malformed.class, () -> Json.parse("\ufeff{}".getBytes(UTF_8)));
        assertThrows("half a surrogate pair", Json.Malformed.class, () -> CanonicalJson.write("\ud83d"));
    }
}
