package authservice;

import java.io.IOException;
import java.security.PublicKey;
import java.util.Optional;

/** Finds the public key of a name: a {@link KeySet} or {@link ChangeKeys}. */
@FunctionalInterface
public interface KeyFinder {
    /**
     * Finds a key; empty if the service has none of this name.
     *
     * @throws IOException if the keys are unavailable
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    Optional<PublicKey> find(String name) throws IOException, InterruptedException;
}
