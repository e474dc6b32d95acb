package org.alder.partition.testing;

import java.util.Random;

/** The seed of a random test: the system property {@code alder.test.seed}, or a new one. Printed, to repeat a failure. */
public final class Seed {
    private Seed() {
    }

    public static long of(Class<?> test) {
        long seed = Long.getLong("alder.test.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + ": -Dalder.test.seed=" + seed);
        return seed;
    }

    public static Random random(Class<?> test) {
        return new Random(of(test));
    }
}
