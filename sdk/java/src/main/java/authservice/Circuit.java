package authservice;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Counts timed-out calls, and says when calls fail immediately because earlier ones timed out. */
final class Circuit {
    /** The number of consecutive timed-out calls that opens the circuit; 0 keeps it closed. */
    private final int timeouts;

    private final long open;
    private final LongSupplier monotonic;
    private int count;
    private long closedAt;

    Circuit(int timeouts, Duration open, LongSupplier monotonic) {
        this.timeouts = timeouts;
        this.open = open.toNanos();
        this.monotonic = monotonic;
    }

    /** Must be called before each call; fails with circuit_open while the circuit is open. */
    synchronized void enter() {
        if (timeouts == 0 || count < timeouts) return;
        var left = closedAt - monotonic.getAsLong();
        if (left > 0) throw Failure.circuitOpen(count + " calls timed out", Duration.ofNanos(left)).exception(0);
        // This call is the probe. The others keep failing until it has ended.
        closedAt = monotonic.getAsLong() + open;
    }

    /** Records after a call whether it timed out. */
    synchronized void leave(boolean timedOut) {
        count = timedOut ? count + 1 : 0;
        closedAt = monotonic.getAsLong() + open;
    }
}
