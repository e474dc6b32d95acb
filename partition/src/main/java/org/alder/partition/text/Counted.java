package org.alder.partition.text;

/** So many of something, in words for people: {@code 1 entry}, {@code 2 entries}. Stateless. */
public final class Counted {
    private Counted() {
    }

    /** @param one what one of them is called, whose plural is a regular one */
    public static String of(long count, String one) {
        return count + " " + (count == 1 ? one : many(one));
    }

    private static String many(String one) {
        if (one.matches(".*[^aeiou]y")) {
            return one.substring(0, one.length() - 1) + "ies";
        }
        return one.matches(".*(s|x|ch|sh)") ? one + "es" : one + "s";
    }
}
