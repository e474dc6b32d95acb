package org.alder.partition.jdbm.layer;

import java.util.Random;

/** The seed of a random test: the system property {@code alder.test.seed}, or a new one. Printed, to repeat a failure. */
public final class Seed {
    private Seed() {
    }

    public static Random random(Class<?> test) {
        Long given = Long.getLong("alder.test.seed");
        long seed = given == null ? System.nanoTime() : given;
        System.out.println(test.getSimpleName() + " -Dalder.test.seed=" + seed);
        return new Random(seed);
    }
}
