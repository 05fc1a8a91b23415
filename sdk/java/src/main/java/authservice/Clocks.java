package authservice;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** The clocks and the random source of a client, which tests replace. */
interface Clocks {
    /** The time by which requests are signed. */
    Instant now();

    /** Nanoseconds since any beginning. */
    long monotonic();

    /** A number from 0 to below 1. */
    double random();

    void sleep(Duration duration) throws InterruptedException;

    Clocks SYSTEM = new Clocks() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long monotonic() {
            return System.nanoTime();
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
        }
    };
}
