package org.alder.partition.index;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.store.ValueKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that the keys of a partition depend on, as one line that a store keeps with its data (docs/format/index-keys.md): the
 * versions of keys and normal forms, the indexes, and of each attribute type and object class what it means for keys. Types
 * matter whether or not they are indexed: any may be in a name. Immutable.
 *
 * <pre>
 *   keys 1.3 values 1 forms 1 unicode 283440 cn:ES(2.5.13.2/2.5.13.4) ... types 2.5.4.3=0a1b2c3d4e5f/2.5.13.2:cn ... c2.5.6.0=0a1b2c3d4e5f ...
 * </pre>
 *
 * <p>A definition that is new changes no key that is stored, because no entry could have its values. One that went away leaves a
 * mark ({@code =-}): entries may still have its values, and need keys when it comes back.
 */
final class KeyFingerprint {
    /** Of the normal forms that matching rules give (docs/format/normal-forms.md). */
    private static final int FORMS_VERSION = 1;
    /** Of the keys of the hierarchy (docs/format/hierarchy.md). */
    private static final int HIERARCHY_VERSION = 3;
    private static final String UNICODE = " unicode ";
    /** Stands for the version of Unicode that Java prepares text by: every version defines more characters. */
    private static final long CHARACTERS = IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(Character::isDefined).count();
    private static final String CLASS = "c";
    private static final String GONE = "-";
    private static final int HASH_BYTES = 6;
    /** In each index's description, and nowhere else before the definitions; in these before the names of indexes. */
    private static final String INDEX = ":";
    private static final String INLINE = "+";
    /** Between the hash of a type and its equality rule. */
    private static final String RULE = "/";
    /** In an index's description, between what the configuration says of it and what the schema does. */
    private static final String RULES = "(";
    private static final int INDEXES_SHOWN = 3;
    private static final Logger LOG = LoggerFactory.getLogger(KeyFingerprint.class);

    private final Form form;
    private final String indexes;
    /** By OID, a hash of what the definition means for keys, in the newer form with the indexes it has keys in. */
    private final Map<String, String> definitions;

    /** What is said of a definition. */
    enum Form {
        /** Of earlier versions of this program: the indexes are part of the hash, so that it tells less. */
        HASHED(" schema "),
        /** Of earlier versions of this program: the equality rule is part of the hash. */
        WITH_INDEXES(" definitions "),
        WITH_RULES(" types ");

        private final String mark;

        Form(String mark) {
            this.mark = mark;
        }
    }

    /**
     * Why keys that were derived under another fingerprint cannot be used.
     *
     * @param indexes    the names of the indexes whose keys they are; null for all keys, also those of the hierarchy
     * @param bySchema   those of them that are configured as they were
     * @param otherRules the OIDs of the types that have other equality rules: what these mean beyond the indexes only the data tell
     */
    record Difference(String why, Set<String> indexes, Set<String> bySchema, Set<String> otherRules) {
        static Difference ofAll(String why) {
            return new Difference(why, null, Set.of(), Set.of());
        }
    }

    private KeyFingerprint(Form form, String indexes, Map<String, String> definitions) {
        this.form = form;
        this.indexes = indexes;
        this.definitions = definitions;
    }

    /** A hash of all that the keys of one index depend on. */
    static String ofIndex(IndexDefinition definition, Schema schema, PerType<List<IndexedAttribute>> takingValuesOf, InlineAttributes inline) {
        StringBuilder text = new StringBuilder(versions()).append(' ').append(described(Form.WITH_RULES, definition, schema));
        schema.attributeTypes().stream().filter(type -> !type.isVirtual() && indexesOf(namedIndexes(type, takingValuesOf, inline)).stream()
                .anyMatch(name -> name.replace(INLINE, "").equals(definition.name()))).map(type -> type.oid() + '=' + oid(type.equality())).sorted()
                .forEach(each -> text.append(' ').append(each));
        return hash(text.toString());
    }

    private static String versions() {
        return "keys " + IndexKeys.VERSION + '.' + HIERARCHY_VERSION + " values " + ValueKeys.VERSION + " forms " + FORMS_VERSION + UNICODE + CHARACTERS;
    }

    /** @param indexes those that are being built are not of what is kept */
    static KeyFingerprint of(Form form, Schema schema, List<IndexedAttribute> indexes,
            PerType<List<IndexedAttribute>> takingValuesOf, InlineAttributes inline) {
        StringBuilder head = new StringBuilder(versions());
        indexes.stream().filter(index -> !index.isBuilding())
                .forEach(index -> head.append(' ').append(described(form, index.definition(), schema)));
        Map<String, String> definitions = new TreeMap<>();
        for (AttributeType type : schema.attributeTypes()) {
            if (!type.isVirtual()) {
                String marks = (type.isOperational() ? " operational" : "") + (type.isSingleValue() ? " single" : "");
                String own = names(type.names()) + ' ' + oid(type.equality()) + marks;
                definitions.put(type.oid(), switch (form) {
                    case HASHED -> hash(own + ' ' + hashedIndexes(type, takingValuesOf, inline));
                    case WITH_INDEXES -> hash(own) + namedIndexes(type, takingValuesOf, inline);
                    case WITH_RULES -> hash(names(type.names()) + marks) + RULE + oid(type.equality()) + namedIndexes(type, takingValuesOf, inline);
                });
            }
        }
        for (ObjectClass each : schema.objectClasses()) {
            definitions.put(CLASS + each.oid(), hash(names(each.names()) + ' '
                    + each.allSuperiors().stream().map(ObjectClass::oid).sorted().toList()));
        }
        return new KeyFingerprint(form, head.toString(), definitions);
    }

    private static String hashedIndexes(AttributeType type, PerType<List<IndexedAttribute>> takingValuesOf,
            InlineAttributes inline) {
        return takingValuesOf.get(type).stream().filter(index -> !index.isBuilding()).map(index -> index.definition().name())
                .sorted().toList() + " "
                + inline.targets(type).stream().map(target -> target.type().oid() + '/' + target.index()).sorted().toList();
    }

    /** The names of the indexes that values of the type have keys in, and of those they are inline in, each with a plus. */
    private static String namedIndexes(AttributeType type, PerType<List<IndexedAttribute>> takingValuesOf,
            InlineAttributes inline) {
        Stream<String> own = takingValuesOf.get(type).stream().filter(index -> !index.isBuilding()).map(index -> index.definition().name());
        Stream<String> hosts = inline.targets(type).stream().filter(target -> !target.host().isBuilding()).map(target -> INLINE + target.host().definition().name());
        String names = Stream.concat(own, hosts).sorted().distinct().collect(Collectors.joining(","));
        return names.isEmpty() ? "" : INDEX + names;
    }

    private static String described(Form form, IndexDefinition definition, Schema schema) {
        StringBuilder text = new StringBuilder(definition.name()).append(':');
        for (IndexKind kind : IndexKind.values()) {
            text.append(definition.has(kind) ? kind.name().substring(0, 1) : "");
        }
        text.append(definition.inline().isEmpty() ? "" : "+" + definition.inlineNames().toLowerCase(Locale.ROOT));
        AttributeType type = definition.type();
        text.append(RULES).append(oid(type.equality())).append('/').append(oid(type.substring()));
        if (form == Form.WITH_RULES) {
            definition.inline().forEach(each -> text.append(INLINE).append(oid(each.equality())));
        }
        text.append(')');
        if (!definition.typesReadByNames().isEmpty()) {
            text.append(hash(schema.attributeTypes().stream().map(each -> names(each.names())).sorted().toList() + " "
                    + schema.objectClasses().stream().map(each -> names(each.names())).sorted().toList()));
        }
        return text.toString();
    }

    /** The first one is what names are made of. */
    private static String names(List<String> names) {
        return names.isEmpty() ? "" : names.get(0).toLowerCase(Locale.ROOT)
                + names.stream().map(name -> name.toLowerCase(Locale.ROOT)).sorted().toList();
    }

    private static String oid(MatchingRule rule) {
        return rule == null ? "" : rule.oid();
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Reads what {@link #toString} wrote, or what an earlier version of this program did, which may say nothing of the schema. */
    static KeyFingerprint parse(String text) {
        Form form = text.contains(Form.WITH_RULES.mark) ? Form.WITH_RULES : text.contains(Form.WITH_INDEXES.mark) ? Form.WITH_INDEXES : Form.HASHED;
        int end = text.indexOf(form.mark);
        Map<String, String> definitions = new TreeMap<>();
        for (String definition : end < 0 ? new String[0] : text.substring(end + form.mark.length()).split(" ")) {
            int equals = definition.indexOf('=');
            if (equals > 0) {
                definitions.put(definition.substring(0, equals), definition.substring(equals + 1));
            }
        }
        return new KeyFingerprint(form, end < 0 ? text : text.substring(0, end), definitions);
    }

    Form form() {
        return form;
    }

    /**
     * Why keys that were derived under another fingerprint, of the same form, are not those of this one; null if they are. One
     * that says nothing of Unicode is of an earlier version of this program, and taken for one of this Java.
     */
    Difference differenceFrom(KeyFingerprint stored, Schema schema) {
        String wanted = stored.indexes.contains(UNICODE) ? indexes : indexes.replace(UNICODE + CHARACTERS, "");
        List<String> now = List.of(wanted.split(" "));
        List<String> before = List.of(stored.indexes.split(" "));
        Set<String> touched = new TreeSet<>();
        String why = null;
        if (form == Form.HASHED && !now.equals(before) || !without(now, INDEX).equals(without(before, INDEX))) {
            LOG.debug("Indexed by \"{}\", wanted is \"{}\"", stored.indexes, wanted);
            return Difference.ofAll(headDifference(before, now));
        }
        Set<String> names = names(now, INDEX);
        now.stream().filter(each -> each.contains(INDEX) && !before.contains(each)).forEach(each -> touched.add(each.split(INDEX)[0]));
        if (!touched.isEmpty()) {
            why = headDifference(before, now);
        }
        Set<String> otherRules = new TreeSet<>();
        for (Map.Entry<String, String> definition : stored.definitions.entrySet()) {
            String found = definitions.get(definition.getKey());
            String changed = definitionChange(definition.getKey(), definition.getValue(), found, schema);
            if (changed != null && (found == null || !hashOf(found).equals(hashOf(definition.getValue())))) {
                return Difference.ofAll(changed);
            } else if (changed != null) {
                boolean isOther = !withoutIndexes(found).equals(withoutIndexes(definition.getValue())) && otherRules.add(definition.getKey());
                why = touched.addAll(changedIndexes(found, definition.getValue(), names)) || isOther ? changed : why;
            }
        }
        Set<String> configuredAsBefore = touched.stream().filter(name -> configured(now, name).equals(configured(before, name)))
                .collect(Collectors.toSet());
        return touched.isEmpty() && otherRules.isEmpty() ? null : new Difference(why, touched, configuredAsBefore, otherRules);
    }

    /** What the configuration says of an index; empty if it has none of that name. */
    private static String configured(List<String> words, String name) {
        return words.stream().filter(word -> word.startsWith(name + INDEX)).map(word -> word.substring(0, word.indexOf(RULES))).findFirst().orElse("");
    }

    private static String hashOf(String definition) {
        return withoutIndexes(definition).split(RULE)[0];
    }

    /** How a definition is another one than it was; null if it is not. */
    private static String definitionChange(String key, String before, String now, Schema schema) {
        if (now == null) {
            return before.equals(GONE) ? null : "the schema no longer defines " + key.replace(CLASS, "the object class ")
                    + ", on which its keys depend";
        }
        return now.equals(before) ? null : "the schema defines " + name(key, schema) + " otherwise than when its keys were derived";
    }

    private static String withoutIndexes(String definition) {
        return definition.split(INDEX)[0];
    }

    /** Those of the indexes there are in which a type has keys now and had not, or the other way round. */
    private static Set<String> changedIndexes(String now, String before, Set<String> names) {
        Set<String> one = indexesOf(now);
        Set<String> other = indexesOf(before);
        return Stream.concat(one.stream().filter(each -> !other.contains(each)), other.stream().filter(each -> !one.contains(each)))
                .map(each -> each.replace(INLINE, "")).filter(names::contains).collect(Collectors.toSet());
    }

    private static Set<String> indexesOf(String definition) {
        int names = definition.indexOf(INDEX);
        return names < 0 ? Set.of() : Set.of(definition.substring(names + 1).split(","));
    }

    private static Set<String> names(List<String> words, String part) {
        return words.stream().filter(word -> word.contains(part)).map(word -> word.split(part)[0]).collect(Collectors.toSet());
    }

    /** What an administrator must know of it: which indexes are other ones, unless all keys are. */
    private static String headDifference(List<String> stored, List<String> wanted) {
        if (!without(stored, INDEX).equals(without(wanted, INDEX))) {
            return "its keys have the versions \"" + String.join(" ", without(stored, INDEX)) + "\", wanted are \""
                    + String.join(" ", without(wanted, INDEX)) + '"';
        }
        List<String> others = wanted.stream().filter(each -> !stored.contains(each)).map(each -> each.split(INDEX)[0]).toList();
        String shown = String.join(", ", others.subList(0, Math.min(INDEXES_SHOWN, others.size())));
        return "its indexes have other kinds, inline attributes, matching rules or names than wanted: " + shown
                + (others.size() > INDEXES_SHOWN ? " and " + (others.size() - INDEXES_SHOWN) + " more" : "");
    }

    private static List<String> without(List<String> words, String part) {
        return words.stream().filter(word -> !word.contains(part)).toList();
    }

    private static String name(String key, Schema schema) {
        return key.startsWith(CLASS) ? "the object class " + schema.objectClass(key.substring(CLASS.length())).name()
                : "the attribute type " + schema.attributeType(key).name();
    }

    /**
     * This fingerprint for data that had another one and have these keys now.
     *
     * @param derivedAnew whether the keys were derived anew; else only definitions were changed that no entry had values of
     */
    KeyFingerprint following(KeyFingerprint stored, boolean derivedAnew) {
        Map<String, String> marked = new TreeMap<>(definitions);
        stored.definitions.forEach((oid, hash) -> {
            if (derivedAnew ? !definitions.containsKey(oid) : hash.equals(GONE)) {
                marked.put(oid, GONE);
            }
        });
        return new KeyFingerprint(form, indexes, marked);
    }

    @Override
    public String toString() {
        return indexes + form.mark + definitions.entrySet().stream().map(each -> each.getKey() + '=' + each.getValue())
                .collect(Collectors.joining(" "));
    }
}
