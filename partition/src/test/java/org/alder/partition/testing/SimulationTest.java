package org.alder.partition.testing;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** The simulation itself: it tries orders, and says when nobody can go on. */
public class SimulationTest {
    /** Two tasks that add to a number in two steps, which loses additions in some orders and in others not. */
    @Test
    public void manyOrdersAreTried() {
        List<Integer> sums = new ArrayList<>();
        for (int seed = 0; seed < 200; seed++) {
            int[] sum = {0};
            Simulation simulation = new Simulation(seed, 1000, 400, 80);
            simulation.run(() -> addTwice(simulation, sum));
            sums.add(sum[0]);
        }
        assertTrue(sums.toString(), sums.contains(1) && sums.contains(2));
    }

    private static void addTwice(Simulation simulation, int[] sum) {
        List<Simulation.Actor> tasks = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tasks.add(simulation.start("adder " + i, () -> {
                int before = sum[0];
                simulation.step("has read");
                sum[0] = before + 1;
            }));
        }
        tasks.forEach(Simulation.Actor::join);
    }

    @Test
    public void aWakingThatIsForgottenIsADeadlock() {
        Simulation simulation = new Simulation(1, 1000);
        Object monitor = new Object();
        AssertionError deadlock = assertThrows(AssertionError.class, () -> simulation.run(() -> {
            synchronized (monitor) {
                try {
                    simulation.waitOn(monitor, Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }));
        assertTrue(deadlock.getMessage(), deadlock.getMessage().contains("nobody can go on: test"));
    }
}
