package org.alder.server.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.text.Utf8;

/**
 * One entry of a configuration as somebody said it, before it is held against the table of keys. Immutable.
 *
 * @param dn    as it was written
 * @param place where it stands, for messages about all of it
 */
record ConfigurationEntry(String dn, String place, List<Line> lines) {
    ConfigurationEntry {
        lines = List.copyOf(lines);
    }

    /**
     * One value of a key. The array is not copied and must not be changed.
     *
     * @param place where it stands, for messages: a file and its line, or whatever else said it
     */
    record Line(String key, byte[] value, String place) {
        /** As a key reads it. */
        private boolean says(byte[] other) {
            return isSame(value, other);
        }
    }

    /** @param file that the entry was read from; one that stands in no line of it is there by default */
    static ConfigurationEntry of(String file, LdifEntry entry) {
        List<Line> lines = new ArrayList<>();
        for (LdifAttribute attribute : entry.attributes()) {
            lines.add(new Line(attribute.description(), attribute.value(), file + ", line " + attribute.line()));
        }
        String place = entry.line() == 0 ? file + ", entry " + entry.dn() + " (default)"
                : file + ", line " + entry.line() + ", entry " + entry.dn();
        return new ConfigurationEntry(entry.dn(), place, lines);
    }

    /** The same with other values of a key. */
    ConfigurationEntry with(String key, List<byte[]> values, String where) {
        List<Line> changed = new ArrayList<>(lines);
        changed.removeIf(line -> line.key().equalsIgnoreCase(key));
        values.forEach(value -> changed.add(new Line(key, value, where)));
        return new ConfigurationEntry(dn, place, changed);
    }

    /** The same without these keys. */
    ConfigurationEntry without(Set<String> keys) {
        return new ConfigurationEntry(dn, place, lines.stream().filter(line -> !keys.contains(line.key().toLowerCase(Locale.ROOT))).toList());
    }

    /** The same with what another says of the keys that the members of a cluster have in common, and of others that it says anything of. */
    ConfigurationEntry sharing(List<Key<?>> table, ConfigurationEntry other) {
        List<Line> taken = other.shared(table).lines;
        Set<String> replaced = Stream.concat(sharedNames(table).stream(), taken.stream().map(line -> line.key().toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
        ConfigurationEntry own = without(replaced);
        return new ConfigurationEntry(dn, place, Stream.concat(own.lines.stream(), taken.stream()).toList());
    }

    /** The same without what is each member's own: in the order of the table, and behind that what is not in the table. */
    ConfigurationEntry shared(List<Key<?>> table) {
        List<Line> all = new ArrayList<>();
        for (Key<?> key : table) {
            if (key.holder() == Key.Holder.CLUSTER) {
                lines.stream().filter(line -> line.key().equalsIgnoreCase(key.name())).forEach(all::add);
            }
        }
        lines.stream().filter(line -> Key.named(line.key(), table) == null && !SettingsReader.NO_KEYS.contains(line.key().toLowerCase(Locale.ROOT)))
                .forEach(all::add);
        return new ConfigurationEntry(dn, place, all);
    }

    private static Set<String> sharedNames(List<Key<?>> table) {
        return table.stream().filter(key -> key.holder() == Key.Holder.CLUSTER).map(key -> key.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /** As it stands in a file. */
    LdifEntry ldif(String name, String objectClass) {
        List<LdifAttribute> attributes = new ArrayList<>();
        attributes.add(LdifAttribute.of("objectClass", objectClass));
        lines.forEach(line -> attributes.add(new LdifAttribute(line.key(), line.value())));
        return new LdifEntry(name, attributes);
    }

    /** The same with these keys alone. */
    ConfigurationEntry only(Set<String> keys) {
        return new ConfigurationEntry(dn, place, lines.stream().filter(line -> keys.contains(line.key().toLowerCase(Locale.ROOT))).toList());
    }

    /** The same with paths that do not depend on the folder. */
    ConfigurationEntry absolute(List<Key<?>> table, Path folder) {
        List<Line> changed = new ArrayList<>();
        for (Line line : lines) {
            Key<?> key = Key.named(line.key(), table);
            String text = Utf8.decodeOrNull(line.value());
            changed.add(key == null || text == null ? line
                    : new Line(line.key(), key.absolute(text.trim(), folder).getBytes(StandardCharsets.UTF_8), line.place()));
        }
        return new ConfigurationEntry(dn, place, changed);
    }

    /** The same after one change of a key ({@link ConfigurationText#modified}). */
    ConfigurationEntry modified(Key<?> key, Modification modification) throws DirectoryException {
        List<Line> said = lines.stream().filter(line -> line.key().equalsIgnoreCase(key.name())).toList();
        List<Line> held = !said.isEmpty() || !key.isSeveral() ? said
                : key.defaults().stream().map(text -> new Line(key.name(), text.getBytes(StandardCharsets.UTF_8), dn)).toList();
        List<byte[]> values = new ArrayList<>(held.stream().filter(line -> !isNone(key, line)).map(Line::value).toList());
        switch (modification.kind()) {
            case REPLACE -> {
                values.clear();
                values.addAll(modification.values());
            }
            case ADD -> add(key, held, values, modification.values());
            case DELETE -> delete(key, held, values, modification.values());
            default -> throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, key + " cannot be incremented, expected a new value");
        }
        return with(key.name(), values, dn);
    }

    private static boolean isSame(byte[] value, byte[] other) {
        return Utf8.shown(value).trim().equals(Utf8.shown(other).trim());
    }

    private static boolean isNone(Key<?> key, Line line) {
        return key.isSeveral() && line.says(Key.NONE.getBytes(StandardCharsets.US_ASCII));
    }

    private static void add(Key<?> key, List<Line> held, List<byte[]> values, List<byte[]> added) throws DirectoryException {
        for (byte[] value : added) {
            if (held.stream().anyMatch(line -> line.says(value))) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, key + " has the value \"" + Utf8.shown(value) + "\" already");
            }
            values.add(value);
        }
    }

    private static void delete(Key<?> key, List<Line> held, List<byte[]> values, List<byte[]> deleted) throws DirectoryException {
        if (deleted.isEmpty()) {
            values.clear();
            return;
        }
        for (byte[] value : deleted) {
            if (held.stream().noneMatch(line -> line.says(value))) {
                throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE, key + " has no value \"" + Utf8.shown(value) + "\"");
            }
            values.removeIf(each -> isSame(each, value));
        }
        if (values.isEmpty() && key.isSeveral() && !key.defaults().isEmpty()) {
            values.add(Key.NONE.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
