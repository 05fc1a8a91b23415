import static java.nio.charset.StandardCharsets.UTF_8;
import java.util.Scanner;

/** java Rollout.java: reads lines "appId userId percent", prints the bucket and whether the user is admitted. */
class Rollout {
    /** Whether a user without an explicit status is admitted. */
    static boolean isInRollout(String appId, String userId, double percent) {
        return bucket(appId, userId) < Math.round(percent * 100);
    }

    /** From 0 to 9,999; with Guava: murmur3_32_fixed().hashString(text, UTF_8).asInt(). */
    static int bucket(String appId, String userId) {
        return Integer.remainderUnsigned(murmur3((appId + ":" + userId).getBytes(UTF_8)), 10_000);
    }

    /** MurmurHash3 x86 32 with seed 0, unsigned. */
    static int murmur3(byte[] data) {
        int hash = 0, block = 0;
        for (int at = 0; at < data.length; at++) {
            block |= (data[at] & 0xff) << 8 * (at % 4);
            if (at % 4 < 3) continue;
            hash = Integer.rotateLeft(hash ^ scramble(block), 13) * 5 + 0xe6546b64;
            block = 0;
        }
        hash ^= scramble(block) ^ data.length;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    static int scramble(int block) { return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593; }

    public static void main(String[] args) {
        for (var in = new Scanner(System.in, UTF_8); in.hasNext(); ) {
            String appId = in.next(), userId = in.next();
            var isIn = isInRollout(appId, userId, Double.parseDouble(in.next()));
            System.out.println(bucket(appId, userId) + (isIn ? " in" : " out"));
        }
    }
}
