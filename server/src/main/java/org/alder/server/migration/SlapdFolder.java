package org.alder.server.migration;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.partition.text.Utf8;

/**
 * Reads the configuration that slapd keeps as entries (slapd-config(5)): the folder slapd.d, or what {@code slapcat -n 0} prints. Each
 * attribute becomes the directive of slapd.conf that says the same. One thread.
 */
final class SlapdFolder {
    private static final int MOST_DEPTH = 8;
    private static final int MOST_FILES = 10_000;
    private static final Pattern NUMBER = Pattern.compile("^\\{(-?\\d{1,9})\\}");
    /** Directives whose names are not those of their attributes without olc. */
    private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("olcdbindex", "index"), Map.entry("olcdbdirectory", "directory"),
            Map.entry("olcmemberofrefint", "memberof-refint"), Map.entry("olcmemberofmemberad", "memberof-member-ad"),
            Map.entry("olcmemberofgroupoc", "memberof-group-oc"), Map.entry("olcmemberofmemberofad", "memberof-memberof-ad"),
            Map.entry("olcmemberofdangling", "memberof-dangling"), Map.entry("olcrefintattribute", "refint_attributes"),
            Map.entry("olcrefintnothing", "refint_nothing"), Map.entry("olcuniqueuri", "unique_uri"), Map.entry("olcuniquebase", "unique_base"),
            Map.entry("olcuniqueattribute", "unique_attributes"), Map.entry("olcuniqueignore", "unique_ignore"),
            Map.entry("olcuniquestrict", "unique_strict"), Map.entry("olcppolicydefault", "ppolicy_default"),
            Map.entry("olcppolicyhashcleartext", "ppolicy_hash_cleartext"), Map.entry("olcppolicyuselockout", "ppolicy_use_lockout"),
            Map.entry("olcppolicyforwardupdates", "ppolicy_forward_updates"), Map.entry("olcdynlistattrset", "dynlist-attrset"),
            Map.entry("olcdlattrset", "dynlist-attrset"), Map.entry("olcconstraintattribute", "constraint_attribute"),
            Map.entry("olcattributetypes", "attributetype"), Map.entry("olcobjectclasses", "objectclass"),
            Map.entry("olcldapsyntaxes", "ldapsyntax"), Map.entry("olcditcontentrules", "ditcontentrule"),
            Map.entry("olcpasswordhash", "password-hash"), Map.entry("olcauthzregexp", "authz-regexp"),
            Map.entry("olclastbindprecision", "lastbind-precision"), Map.entry("olcmultiprovider", "multiprovider"));

    private final List<ForeignSetting> settings = new ArrayList<>();
    private int files;

    private SlapdFolder() {
    }

    static boolean isOne(Path folder) {
        return Files.isRegularFile(folder.resolve("cn=config.ldif"));
    }

    /** @param source the folder, or the LDIF of slapcat -n 0 */
    static List<ForeignSetting> read(Path source) throws MigrationException {
        SlapdFolder reader = new SlapdFolder();
        if (Files.isDirectory(source)) {
            if (!isOne(source)) {
                throw new MigrationException(source + ": there is no cn=config.ldif in it, expected slapd.d of OpenLDAP");
            }
            reader.readFolder(source, MOST_DEPTH);
        } else {
            reader.readFile(source);
        }
        return reader.settings;
    }

    private void readFolder(Path folder, int depth) throws MigrationException {
        List<Path> ldif;
        try (Stream<Path> all = Files.list(folder)) {
            ldif = all.filter(file -> file.getFileName().toString().endsWith(".ldif") && Files.isRegularFile(file))
                    .sorted(Comparator.<Path>comparingInt(SlapdFolder::rank).thenComparing(Path::getFileName)).toList();
        } catch (IOException e) {
            throw new MigrationException(folder + ": cannot be read: " + e, e);
        }
        for (Path file : ldif) {
            if (++files > MOST_FILES) {
                throw new MigrationException(folder + ": more than " + MOST_FILES + " files");
            }
            readFile(file);
            String name = file.getFileName().toString();
            Path below = file.resolveSibling(name.substring(0, name.length() - ".ldif".length()));
            if (Files.isDirectory(below)) {
                if (depth == 0) {
                    throw new MigrationException(below + ": more than " + MOST_DEPTH + " folders in each other");
                }
                readFolder(below, depth - 1);
            }
        }
    }

    /** Modules and schema before databases, and these by their numbers. */
    private static int rank(Path file) {
        String name = file.getFileName().toString();
        Matcher number = Pattern.compile("\\{(-?\\d{1,6})\\}").matcher(name);
        return name.startsWith("olcDatabase=") && number.find() ? Integer.parseInt(number.group(1)) : -1000;
    }

    private void readFile(Path file) throws MigrationException {
        try (LdifReader reader = new LdifReader(new BufferedInputStream(Files.newInputStream(file)))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                if (!(record instanceof LdifEntry entry)) {
                    throw new MigrationException(file + ", line " + record.line() + ": a change record, expected entries");
                }
                add(file.toString(), entry);
            }
        } catch (LdifException e) {
            throw new MigrationException(file + ", line " + e.line() + ": " + e.reason(), e);
        } catch (IOException e) {
            throw new MigrationException(file + ": cannot be read: " + e, e);
        }
    }

    private void add(String file, LdifEntry entry) {
        String rdn = entry.dn().split(",", 2)[0];
        String kind = rdn.split("=", 2)[0].toLowerCase(Locale.ROOT);
        String value = NUMBER.matcher(rdn.substring(Math.min(rdn.length(), kind.length() + 1))).replaceFirst("");
        if (kind.equals("olcdatabase") || kind.equals("olcoverlay")) {
            settings.add(new ForeignSetting(file, entry.line(), kind.substring("olc".length()), List.of(value), value));
        } else if (rdn.equalsIgnoreCase("cn=schema")) {
            // What is built into slapd.
            return;
        }
        List<LdifAttribute> lines = new ArrayList<>(entry.attributes());
        // Macros before what is made of them; the rest stays in its order.
        lines.sort(Comparator.comparingInt(line -> line.description().equalsIgnoreCase("olcObjectIdentifier") ? 0 : 1));
        for (LdifAttribute line : lines) {
            String description = line.description().toLowerCase(Locale.ROOT);
            String text = Utf8.decodeOrNull(line.value());
            if (description.startsWith("olc") && !description.equals("olcdatabase") && !description.equals("olcoverlay") && text != null) {
                String plain = NUMBER.matcher(text).replaceFirst("").strip();
                String name = NAMES.getOrDefault(description, description.substring("olc".length()));
                settings.add(new ForeignSetting(file, line.line(), name, name.equals("suffix") || name.equals("rootdn")
                        ? List.of(plain) : SlapdWords.of(plain), plain));
            }
        }
    }
}
