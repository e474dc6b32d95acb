package org.alder.server.cli.client;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.client.LdapAnswer;

/**
 * The indexes of a partition of a running server, as {@code cn=Monitor} shows them. Immutable.
 *
 * @param indexes of which all can be used but those that say {@code building}
 * @param build   null if nothing is being built
 */
record ServedIndexes(String suffix, List<Index> indexes, Build build) {
    private static final String BUILDING = "building";

    /**
     * One index.
     *
     * @param kinds as the key {@code index} has them, with commas between them
     * @param keys  on the disk; below 0 where that is not known, as is the next one
     * @param bytes that these take there
     */
    record Index(String attribute, String kinds, boolean complete, long keys, long bytes) {
        private static Index of(String value, LdapAnswer.Entry partition) {
            String[] words = value.split(" ");
            return new Index(words[0], words[1], words.length < 3 || !words[2].equals(BUILDING), figure(partition, "alderIndexKeys", words[0]),
                    figure(partition, "alderIndexBytes", words[0]));
        }

        private static long figure(LdapAnswer.Entry partition, String name, String attribute) {
            return values(partition, name).stream().filter(each -> each.startsWith(attribute + " "))
                    .mapToLong(each -> Long.parseLong(each.substring(attribute.length() + 1))).findFirst().orElse(-1);
        }

        boolean has(String kind) {
            return List.of(kinds.split(",")).contains(kind);
        }
    }

    /**
     * How far a build is.
     *
     * @param total       below 0 if it is not known
     * @param secondsLeft of the phase, about; below 0 if it is not known
     * @param failure     why nothing goes on; empty if it does
     */
    record Build(List<String> indexes, String phase, long done, long total, long seconds, long secondsLeft, String failure) {
        private static Build of(LdapAnswer.Entry partition) {
            return new Build(values(partition, "alderIndexBuild"), value(partition, "alderIndexBuildPhase"),
                    number(partition, "alderIndexBuildDone"), number(partition, "alderIndexBuildTotal"),
                    number(partition, "alderIndexBuildSeconds"), number(partition, "alderIndexBuildSecondsLeft"),
                    value(partition, "alderIndexBuildFailure"));
        }

        String text() {
            String names = String.join(", ", indexes);
            if (!failure.isEmpty()) {
                return names + ": " + phase + ": " + failure;
            }
            return String.format(Locale.ROOT, "%s: %s, %,d%s in %d s%s", names, phase, done, total < 0 ? "" : String.format(Locale.ROOT, " of %,d",
                    total), seconds, secondsLeft < 0 ? "" : ", about " + secondsLeft + " s left");
        }

        Map<String, Object> facts() {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("indexes", indexes);
            facts.put("phase", phase);
            facts.put("done", done);
            putKnown(facts, "total", total);
            facts.put("seconds", seconds);
            putKnown(facts, "secondsLeft", secondsLeft);
            facts.put("failure", failure);
            return facts;
        }

        private static void putKnown(Map<String, Object> facts, String name, long number) {
            if (number >= 0) {
                facts.put(name, number);
            }
        }
    }

    /** As the key {@code index} has them. */
    List<String> lines() {
        return indexes.stream().map(each -> each.attribute() + " " + each.kinds() + (each.complete() ? "" : " (being built)")).toList();
    }

    /** Whether all can be used, and none is being built anew. */
    boolean isComplete() {
        return build == null && unfinished().isEmpty();
    }

    /** Those that cannot be used. */
    List<String> unfinished() {
        return indexes.stream().filter(index -> !index.complete()).map(Index::attribute).toList();
    }

    /** Of all partitions, by their suffixes. */
    static Map<String, ServedIndexes> of(ServerConnection server) throws IOException, CommandException {
        Map<String, ServedIndexes> served = new LinkedHashMap<>();
        for (LdapAnswer.Entry entry : server.children("cn=Monitor")) {
            String suffix = value(entry, "alderSuffix");
            if (!suffix.isEmpty()) {
                // Of shards, one that is not complete stands for all.
                served.merge(suffix, of(entry), (one, next) -> one.isComplete() ? next : one);
            }
        }
        return served;
    }

    /** @param partition its entry below {@code cn=Monitor} */
    static ServedIndexes of(LdapAnswer.Entry partition) {
        Build build = values(partition, "alderIndexBuild").isEmpty() ? null : Build.of(partition);
        return new ServedIndexes(value(partition, "alderSuffix"), values(partition, "alderIndex").stream()
                .map(each -> Index.of(each, partition)).toList(), build);
    }

    private static List<String> values(LdapAnswer.Entry entry, String name) {
        return entry.byDescription().getOrDefault(name, List.of()).stream().map(Utf8::shown).toList();
    }

    private static String value(LdapAnswer.Entry entry, String name) {
        List<String> values = values(entry, name);
        return values.isEmpty() ? "" : values.get(0);
    }

    private static long number(LdapAnswer.Entry entry, String name) {
        String value = value(entry, name);
        return value.isEmpty() ? -1 : Long.parseLong(value);
    }
}
