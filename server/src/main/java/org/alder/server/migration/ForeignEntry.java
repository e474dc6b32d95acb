package org.alder.server.migration;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.partition.text.Utf8;

/** One entry of a configuration that another server keeps as LDIF. Immutable. */
final class ForeignEntry {
    private final String file;
    private final LdifEntry entry;

    private ForeignEntry(String file, LdifEntry entry) {
        this.file = file;
        this.entry = entry;
    }

    static List<ForeignEntry> read(Path file) throws MigrationException {
        List<ForeignEntry> entries = new ArrayList<>();
        read(file, entries::add);
        return entries;
    }

    /** One after the other: there may be millions. */
    static void read(Path file, Consumer<ForeignEntry> taker) throws MigrationException {
        try (LdifReader reader = new LdifReader(new BufferedInputStream(Files.newInputStream(file)))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                if (!(record instanceof LdifEntry entry)) {
                    throw new MigrationException(file + ", line " + record.line() + ": a change record, expected entries");
                }
                taker.accept(new ForeignEntry(file.toString(), entry));
            }
        } catch (LdifException e) {
            throw new MigrationException(file + ", line " + e.line() + ": " + e.reason(), e);
        } catch (IOException e) {
            throw new MigrationException(file + ": cannot be read: " + e, e);
        }
    }

    /** In lower case, without blanks behind commas. */
    String dn() {
        return entry.dn().toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
    }

    /** The value of the first RDN, as it is written. */
    String rdnValue() {
        String rdn = entry.dn().split("(?<!\\\\),", 2)[0];
        return rdn.substring(rdn.indexOf('=') + 1).strip();
    }

    boolean isA(String objectClass) {
        return values("objectClass").stream().anyMatch(objectClass::equalsIgnoreCase);
    }

    List<String> values(String attribute) {
        List<String> values = new ArrayList<>();
        entry.attributes().forEach(line -> {
            String value = Utf8.decodeOrNull(line.value());
            if (line.description().equalsIgnoreCase(attribute) && value != null) {
                values.add(value.strip());
            }
        });
        return values;
    }

    /** The first value; empty if there is none. */
    String value(String attribute) {
        List<String> values = values(attribute);
        return values.isEmpty() ? "" : values.get(0);
    }

    boolean isOn(String attribute) {
        return List.of("on", "true", "yes", "1").contains(value(attribute).toLowerCase(Locale.ROOT));
    }

    /** Each value of an attribute, with its own line: the entry's name, the value, and the entry's subtreeSpecification. Notes of replication behind the name are passed over. */
    void addEach(String attribute, String name, List<ForeignSetting> settings) {
        String specification = null;
        for (LdifAttribute each : entry.attributes()) {
            String value = each.description().split(";", 2)[0].equalsIgnoreCase(attribute)
                    && !each.description().toLowerCase(Locale.ROOT).contains(";deleted") ? Utf8.decodeOrNull(each.value()) : null;
            if (value != null) {
                specification = specification == null ? value("subtreeSpecification") : specification;
                settings.add(new ForeignSetting(file, each.line(), name, List.of(entry.dn(), value.strip(), specification), value.strip()));
            }
        }
    }

    /** What this entry says, under the name that the same has in slapd.conf. The line is that of the attribute, if it is there. */
    ForeignSetting setting(String attribute, String name, String... words) {
        long line = entry.attributes().stream().filter(each -> each.description().equalsIgnoreCase(attribute)).mapToLong(each -> each.line())
                .findFirst().orElse(entry.line());
        return new ForeignSetting(file, line, name, List.of(words), String.join(" ", words));
    }
}
