package org.alder.fuzz;

import java.util.Arrays;
import java.util.Locale;

/**
 * What the fuzzer calls, in a JVM of its own, with each input: of one target, which the system property {@value #TARGET} names, or of
 * all, where the input's first byte says of which. In the end it prints how often each target was run, and how near it came to what
 * it may allocate.
 */
public final class Fuzzer {
    static final String TARGET = "alder.fuzz.target";
    /** Lines that it prints in the end begin so. */
    static final String RESULT = "fuzzed ";
    private static final Target ONE = System.getProperty(TARGET) == null ? null : Target.valueOf(System.getProperty(TARGET));
    private static final long[] EXECUTIONS = new long[Target.values().length];
    private static final int[] MOST_PERCENT = new int[Target.values().length];

    private Fuzzer() {
    }

    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        if (ONE != null) {
            run(ONE, input);
        } else if (input.length > 0) {
            run(target(input), rest(input));
        }
    }

    private static void run(Target target, byte[] input) throws Exception {
        int index = target.ordinal();
        EXECUTIONS[index]++;
        MOST_PERCENT[index] = Math.max(MOST_PERCENT[index], target.run(input));
    }

    /** Jazzer calls it last. */
    public static void fuzzerTearDown() {
        for (Target target : Target.values()) {
            int index = target.ordinal();
            if (EXECUTIONS[index] > 0) {
                System.out.printf(Locale.ROOT, "%s%s %d times; at most %d %% of the bytes that it may allocate%n", RESULT, target.folder(),
                        EXECUTIONS[index], MOST_PERCENT[index]);
            }
        }
    }

    /** Of an input of all targets. */
    static Target target(byte[] input) {
        return Target.values()[(input[0] & 0xFF) % Target.values().length];
    }

    static byte[] rest(byte[] input) {
        return Arrays.copyOfRange(input, 1, input.length);
    }
}
