package authservice;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.time.Duration;
import org.junit.Test;

/** When calls fail immediately. */
public class CircuitTest {
    private final Kit.VirtualTime time = new Kit.VirtualTime();

    @Test
    public void letsOneCallProbe() {
        var circuit = new Circuit(1, Duration.ofSeconds(5), time::monotonic);
        circuit.leave(true);
        var open = assertThrows(AuthServiceException.Unavailable.class, circuit::enter);
        assertEquals("circuit_open", open.code());
        assertEquals(Duration.ofSeconds(5), open.retryAfter());
        time.sleep(Duration.ofSeconds(5));
        circuit.enter();
        assertThrows("there is one probe", AuthServiceException.Unavailable.class, circuit::enter);
        circuit.leave(false);
        circuit.enter();
    }

    @Test
    public void canBeKeptClosed() {
        var circuit = new Circuit(0, Duration.ofSeconds(5), time::monotonic);
        for (var i = 0; i < 10; i++) {
            circuit.leave(true);
            circuit.enter();
        }
    }
}
