package org.alder.server.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * How the text of a key's value is read, and what is expected of it in words. Immutable.
 *
 * @param expected follows "is not" in messages
 * @param reader   throws IllegalArgumentException for what is not that
 * @param isSecret whether what is not that may be a secret, which no message repeats
 * @param located  makes it the same from any folder
 */
record ValueType<V>(String expected, Reader<V> reader, boolean isSecret, Located located) {
    private static final String BYTES_FORM = ", such as 1048576, 64m or 25%";

    ValueType(String expected, Reader<V> reader) {
        this(expected, reader, false, (text, folder) -> text);
    }

    /** A value that may name a file, from a folder. */
    @FunctionalInterface
    interface Located {
        String absolute(String text, Path folder);
    }

    @FunctionalInterface
    interface Reader<V> {
        V read(String text);
    }

    /** A value that is not of its type; the message is what was expected. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(String expected, Throwable cause) {
            super(expected, cause);
        }
    }

    V read(String text) throws Refusal {
        try {
            return reader.read(text);
        } catch (PatternSyntaxException e) {
            throw new Refusal("a regular expression of Java: " + e.getDescription() + " at character " + e.getIndex(), e);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new Refusal(expected, e);
        }
    }

    /** Text that is not empty and matches. */
    static ValueType<String> text(String expected, String regex) {
        return new ValueType<>(expected, text -> {
            require(text.matches(regex));
            return text;
        });
    }

    /** The path of a file, which is found from the folder of the configuration. */
    static ValueType<String> path() {
        return new ValueType<>("the path of a file", text -> {
            require(text.matches(".+"));
            // Of what no file is called it throws; the value is what was written.
            Path.of(text);
            return text;
        }, false, ValueType::absolute);
    }

    private static String absolute(String path, Path folder) {
        return folder.resolve(path).normalize().toString();
    }

    static ValueType<Integer> number(int least, int most) {
        String range = most == Integer.MAX_VALUE ? "a whole number, at least " + least
                : "a whole number from " + least + " to " + most;
        return new ValueType<>(range, text -> {
            int value = Integer.parseInt(text);
            require(value >= least && value <= most);
            return value;
        });
    }

    /** A number, perhaps with k, m or g, or a percentage of the Java heap. */
    static ValueType<Long> bytes(long least, long most) {
        String range = most == Long.MAX_VALUE ? "bytes, at least " + least : "bytes from " + shown(least) + " to " + shown(most);
        return new ValueType<>(range + BYTES_FORM, text -> {
            long value = bytes(text.toLowerCase(Locale.ROOT));
            require(value >= least && value <= most);
            return value;
        });
    }

    private static long bytes(String text) {
        require(!text.isEmpty());
        String digits = text.substring(0, text.length() - 1);
        return switch (text.charAt(text.length() - 1)) {
            case '%' -> Math.round(Runtime.getRuntime().maxMemory() / 100.0 * Integer.parseInt(digits));
            case 'k' -> Math.multiplyExact(Long.parseLong(digits), 1L << 10);
            case 'm' -> Math.multiplyExact(Long.parseLong(digits), 1L << 20);
            case 'g' -> Math.multiplyExact(Long.parseLong(digits), 1L << 30);
            default -> Long.parseLong(text);
        };
    }

    /** As a configuration would say it. */
    private static String shown(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(3, Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> 10 * unit) + (unit == 0 ? "" : "kmg".substring(unit - 1, unit));
    }

    static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String all = Arrays.stream(constants).map(ValueType::word).collect(Collectors.joining(", "));
        return new ValueType<>("one of " + all, text -> {
            for (E constant : constants) {
                if (word(constant).equalsIgnoreCase(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException(text);
        });
    }

    /** ZSTD_DICTIONARY is zstdDictionary. */
    private static String word(Enum<?> constant) {
        StringBuilder word = new StringBuilder();
        for (String part : constant.name().toLowerCase(Locale.ROOT).split("_")) {
            word.append(word.length() == 0 ? part : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
        }
        return word.toString();
    }

    /** Where a secret is. @param orNone whether there need be none */
    static ValueType<SecretReference> secret(boolean orNone) {
        return new ValueType<>(orNone ? SecretReference.FORM_OR_NONE : SecretReference.FORM, text -> {
            SecretReference reference = SecretReference.parse(text);
            require(orNone || reference.kind() != SecretReference.Kind.NONE);
            return reference;
        }, true, (text, folder) -> SecretReference.parse(text).located(folder));
    }

    /** A file with a secret, or a variable that holds it. */
    static ValueType<SecretReference> secretFile() {
        return new ValueType<>(SecretReference.FORM_OR_PATH, SecretReference::parseOrPath, false,
                (text, folder) -> SecretReference.parseOrPath(text).located(folder));
    }

    static ValueType<Boolean> flag() {
        return new ValueType<>("true or false", text -> {
            require(text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"));
            return Boolean.parseBoolean(text);
        });
    }

    /** @throws IllegalArgumentException if it does not hold */
    static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException();
        }
    }
}
