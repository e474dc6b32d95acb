package org.alder.fuzz;

import java.util.Arrays;

/**
 * What the fuzzer calls, in a JVM of its own, with each input: of one target, which the system property {@value #TARGET} names, or of
 * all, where the input's first byte says of which.
 */
public final class Fuzzer {
    static final String TARGET = "alder.fuzz.target";
    private static final Target ONE = System.getProperty(TARGET) == null ? null : Target.valueOf(System.getProperty(TARGET));

    private Fuzzer() {
    }

    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        if (ONE != null) {
            ONE.run(input);
        } else if (input.length > 0) {
            target(input).run(rest(input));
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
