package authservice;

import java.time.Duration;

/** Returns the current key for each call, so that it can be rotated while the application runs. It should cache what it reads. */
@FunctionalInterface
public interface KeySource {
    /**
     * Reads the key.
     *
     * @param timeout how long this may take
     * @throws Exception if the key cannot be read now; the call tries again
     */
    Key read(Duration timeout) throws Exception;
}
