package org.alder.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An input that begins with a line which says what the rest is for.
 *
 * @param name the line, without its end
 * @param rest null where there is no such line
 */
public record Named(String name, byte[] rest) {
    public static Named of(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        return new Named(new String(input, 0, end, StandardCharsets.ISO_8859_1),
                end == input.length ? null : Arrays.copyOfRange(input, end + 1, input.length));
    }

    public String text() {
        return rest == null ? "" : new String(rest, StandardCharsets.UTF_8);
    }
}
