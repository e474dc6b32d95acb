package org.alder.server.migration;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.fuzz.Scratch;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.testing.TestDirectory;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRuleParser;
import org.alder.server.migration.x501.X501Rules;

/** Configurations of other servers: what is made of one can be started with, or it is refused; what an access rule of theirs becomes is one. */
public final class MigrationFuzz {
    private static final Path FILE = Scratch.file("foreign");
    private static final Path TRIAL = Scratch.file("trial.ldif");
    private static final Path SLAPD = Scratch.file("slapd.d");
    private static final Path SCHEMA = Scratch.file("schema");
    private static final int MOST_LINES = 100;
    private static final int MOST_ITEMS = 20;
    /** Little enough to be read again for each file of each input. */
    private static final List<Path> INSTALLED = List.of(Path.of("../conf/schema/dyngroup.ldif"));
    private static final int ATTRIBUTES = Schema.load(INSTALLED).definitions(DefinitionKind.ATTRIBUTE_TYPE).size();
    private static final List<Dn> SUFFIXES = List.of(Dn.stored(TestDirectory.SCHEMA, "dc=example,dc=com"));

    private MigrationFuzz() {
    }

    /** slapd.conf, what slapcat -n 0 prints, dse.ldif, or config.ldif of OpenDJ or ApacheDS. */
    public static void file(byte[] input) throws IOException {
        Scratch.write(FILE, input);
        Scratch.write(TRIAL, new byte[0]);
        try {
            Migration.Source source = Migration.read(FILE, List.of());
            MigratedConfiguration made = new MigratedConfiguration(TestDirectory.SCHEMA, Map.of(), List.of(), TRIAL);
            new SlapdMigration(made, source.rules(), new MigrationReport()).run(source.settings());
            assertTrue(made.text(), made.server().add("sizeLimitUnasked", "1", "") != null || made.server().has("sizeLimitUnasked"));
        } catch (MigrationException e) {
            assertTrue(e.getMessage(), !e.getMessage().isEmpty());
        }
    }

    /**
     * A folder slapd.d with a file of a database below cn=config and one of schema: the input is cut in two where a line is {@code ----}. Each setting knows its place, and
     * a refusal names the file.
     */
    public static void folder(byte[] input) throws IOException {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        int cut = text.indexOf("\n----\n");
        String database = cut < 0 ? text : text.substring(0, cut + 1);
        for (String folder : List.of("", "cn=config", "cn=config/cn=schema")) {
            Files.createDirectories(SLAPD.resolve(folder)).toFile().deleteOnExit();
        }
        write("cn=config.ldif", "dn: cn=config\nobjectClass: olcGlobal\n");
        write("cn=config/cn=schema.ldif", "dn: cn=schema\nobjectClass: olcSchemaConfig\n");
        write("cn=config/olcDatabase={1}mdb.ldif", database);
        write("cn=config/cn=schema/cn={0}own.ldif", text.substring(database.length()).replaceFirst("^----\n", ""));
        try {
            List<ForeignSetting> settings = SlapdFolder.read(SLAPD);
            settings.forEach(setting -> assertTrue(setting.toString(), setting.line() > 0 && setting.file().startsWith(SLAPD.toString())));
        } catch (MigrationException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith(SLAPD.toString()));
        }
    }

    private static void write(String name, String content) throws IOException {
        Path file = SLAPD.resolve(name);
        file.toFile().deleteOnExit();
        Scratch.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Definitions of a slapd.conf, a line each: what is taken over is a schema file that is read as it stands, and all else is told. */
    public static void schema(byte[] input) throws IOException {
        Path work = Files.createDirectories(SCHEMA);
        MigrationReport report = new MigrationReport();
        MigratedSchema schema = new MigratedSchema(work, INSTALLED);
        int line = 0;
        for (String text : new String(input, StandardCharsets.UTF_8).split("\n", -1)) {
            List<String> words = SlapdWords.of(text);
            if (++line <= MOST_LINES && !words.isEmpty() && MigratedSchema.DIRECTIVES.contains(words.get(0).toLowerCase(Locale.ROOT))) {
                String name = words.get(0);
                schema.add(new ForeignSetting("f" + line % 2, line, name, words.subList(1, words.size()), text.strip().substring(Math.min(text.strip().length(), name.length())).strip()));
            }
        }
        try {
            schema.link(report);
            assertTrue("nothing is lost", schema.schema().definitions(DefinitionKind.ATTRIBUTE_TYPE).size() >= ATTRIBUTES);
            schema.files().forEach((name, text) -> assertTrue(name, name.matches("[A-Za-z0-9_-]+\\.schema") && !text.isEmpty()));
        } catch (MigrationException e) {
            throw new AssertionError(e);
        } finally {
            try (Stream<Path> files = Files.list(work)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** An ACI of 389 or OpenDJ: no rule grants but those behind all that deny, and one that may deny is never passed over. */
    public static void instruction(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        MigrationReport report = new MigrationReport();
        AciRules rules = new AciRules(TestDirectory.SCHEMA, true, SUFFIXES, report);
        rules.take(new ForeignSetting("f", 1, "aci", List.of("dc=example,dc=com", text), text));
        boolean grants = false;
        for (AciRules.Line line : rules.lines()) {
            assertTrue(line.rule(), line.rule().startsWith("deny ") ? !grants && parses(line.closed()) : line.rule().startsWith("grant "));
            grants |= line.rule().startsWith("grant ");
            parses(line.rule());
        }
    }

    /** ACI items of ApacheDS, a line each behind that of the subtree specification: each rule is one, and each item that comes to none is told of. */
    public static void item(byte[] input) {
        List<String> lines = new String(input, StandardCharsets.UTF_8).lines().limit(MOST_ITEMS).toList();
        Dn holder = Dn.stored(TestDirectory.SCHEMA, "cn=rules,dc=example,dc=com");
        X501Rules<Integer> made = new X501Rules<>(TestDirectory.SCHEMA);
        for (int i = 1; i < lines.size(); i++) {
            made.takePrescriptive(i, holder, lines.get(0), lines.get(i));
            made.takeOfEntry(-i, holder, lines.get(i));
        }
        Set<Integer> grants = new HashSet<>();
        for (X501Rules.Rule<Integer> rule : made.rules()) {
            assertTrue(rule.text(), parses(rule.text()));
            grants.addAll(rule.isGrant() ? rule.sources() : Set.of());
        }
        for (int i = 1; i < lines.size(); i++) {
            boolean isRead = lines.get(i).contains("grantRead") && !lines.get(i).contains("userClasses");
            assertTrue(lines.get(i), !isRead || grants.contains(i) || made.open().containsKey(i));
        }
    }

    /** {@code access to} of OpenLDAP. */
    public static void access(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ForeignSetting setting = new ForeignSetting("f", 1, "access", SlapdWords.of(text), text);
        SlapdAccess access = new SlapdAccess(setting, "dc=example,dc=com");
        access.rules().forEach(MigrationFuzz::parses);
        assertTrue(text, !access.rules().isEmpty() || !access.open().isEmpty() || !text.contains(" by "));
    }

    private static boolean parses(String rule) {
        try {
            AccessRuleParser.parse(TestDirectory.SCHEMA, rule, "");
            return true;
        } catch (AccessRuleException e) {
            return false;
        }
    }
}
