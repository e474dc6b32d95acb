package org.alder.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.store.FeatureLevel;

/**
 * One key of the configuration, and all there is to know about it: messages, conf/config.ldif and docs/settings.md are made of
 * this. {@link ServerKeys} and {@link PartitionKeys} hold them all. Immutable, compared by identity.
 *
 * @param <T> what {@link Settings#get} returns: one value, or the list of them
 */
public final class Key<T> {
    /** When another value takes effect. */
    enum Effect {
        RUNNING("at once", "what it is by default depends on indexes, which were other ones at the start"),
        CONNECTIONS("at once, for connections that are opened from then on", RUNNING.why),
        TLS("at once, for connections that are opened from then on; with another value of tls, at the next start", "what belongs to TLS comes and "
                + "goes together with tls"),
        SWITCH("at the next start", "connections, ports and certificates go by it together"),
        DIVIDED("at the next start", "threads, queues and the heap are divided once"),
        TRUST("at the next start", "it decides who may change the configuration"),
        DATA("at the next start", "it says which data these are"),
        SCHEMA("at the next start", "what is stored was checked and indexed by it"),
        AUDIT("at the next start", "the audit log is opened once, and stays where those who read it look for it"),
        MEASURED("at the next start", "it is for measurements, of a server that has gone by it from its start"),
        STARTS("at the next start", "it is about starts"),
        NEW_SEGMENTS("at once, for segments written from then on", RUNNING.why),
        SEGMENTS("at the next start, for segments written from then on", "segments that are merged and written meanwhile are of one kind"),
        INDEXES("at once: what is missing is built while the server runs, and used when it is complete", RUNNING.why);

        private final String words;
        private final String why;

        Effect(String words, String why) {
            this.words = words;
            this.why = why;
        }

        String words() {
            return words;
        }

        /** Why another value waits where it does. */
        String why() {
            return why;
        }

        /** Whether a running server goes by it. @param sameTls whether that has TLS, or has none, as before */
        boolean isLive(boolean sameTls) {
            return this == RUNNING || this == CONNECTIONS || this == INDEXES || this == NEW_SEGMENTS || this == TLS && sameTls;
        }
    }

    /** Among the members of a cluster. */
    enum Holder {
        MEMBER("each member has its own"),
        CLUSTER("the same on all members");

        private final String words;

        Holder(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The one word that stands for no value at all in a key of several. */
    static final String NONE = "none";

    private final String name;
    private final ValueType<?> type;
    private final boolean several;
    private final List<String> defaults;
    private final List<String> examples;
    private final Effect effect;
    private final Holder holder;
    private final int level;
    private final String text;

    private Key(String name, ValueType<?> type, boolean several, List<String> defaults, List<String> examples, Effect effect,
            Holder holder, int level, String text) {
        this.name = name;
        this.type = type;
        this.several = several;
        this.defaults = defaults;
        this.examples = examples;
        this.effect = effect;
        this.holder = holder;
        this.level = level;
        this.text = text.strip().replaceAll("\\s+", " ");
    }

    static <V> Key<V> one(String name, ValueType<V> type, String byDefault, Effect effect, String text) {
        return new Key<>(name, type, false, List.of(byDefault), List.of(), effect, Holder.MEMBER, FeatureLevel.FIRST, text);
    }

    /** With no value by default: null. */
    static <V> Key<V> optional(String name, ValueType<V> type, Effect effect, String text, String example) {
        return new Key<>(name, type, false, List.of(), List.of(example), effect, Holder.MEMBER, FeatureLevel.FIRST, text);
    }

    static <V> Key<List<V>> several(String name, ValueType<V> type, List<String> defaults, Effect effect, String text,
            String... examples) {
        return new Key<>(name, type, true, defaults, List.of(examples), effect, Holder.MEMBER, FeatureLevel.FIRST, text);
    }

    /**
     * The same as one that all members of a cluster have in common. Its values must mean the same on any machine: they name no files.
     *
     * @param since of the {@link FeatureLevel}s: builds that know less do not know the key
     */
    Key<T> ofCluster(int since) {
        return new Key<>(name, type, several, defaults, examples, effect, Holder.CLUSTER, since, text);
    }

    /** What these texts say; {@link Settings} knows where they stand. */
    @SuppressWarnings("unchecked")
    T read(List<String> texts) throws ValueType.Refusal {
        if (!several) {
            return texts.isEmpty() ? null : (T) type.read(texts.get(0));
        }
        List<Object> values = new ArrayList<>();
        if (!texts.equals(List.of(NONE))) {
            for (String value : texts) {
                values.add(type.read(value));
            }
        }
        return (T) List.copyOf(values);
    }

    /** The key of this name, of which capitals do not matter; null if the table has none. */
    static Key<?> named(String name, List<Key<?>> table) {
        return table.stream().filter(key -> key.name().equalsIgnoreCase(name)).findFirst().orElse(null);
    }

    /** What holds if nothing is said. */
    T byDefault() {
        try {
            return read(defaults);
        } catch (ValueType.Refusal e) {
            throw new IllegalStateException("the default of " + name, e);
        }
    }

    public String name() {
        return name;
    }

    /** Whether it may be given several times. */
    boolean isSeveral() {
        return several;
    }

    /** Whether what is written in its place by mistake may be a secret. */
    boolean isSecret() {
        return type.isSecret();
    }

    /** In words, such as "a whole number from 0 to 65535". */
    String expected() {
        return type.expected();
    }

    /** The same value, which may name a file from this folder, as it is understood from any. */
    String absolute(String value, Path folder) {
        return type.located().absolute(value, folder);
    }

    /** As they would stand in the file. */
    List<String> defaults() {
        return defaults;
    }

    /** Values that are not the default, to be shown. */
    List<String> examples() {
        return examples;
    }

    Effect effect() {
        return effect;
    }

    Holder holder() {
        return holder;
    }

    /** From which of the {@link FeatureLevel}s on members may have it in common. */
    int level() {
        return level;
    }

    /** What it does, with its unit, in sentences. */
    String text() {
        return text;
    }

    @Override
    public String toString() {
        return name;
    }
}
