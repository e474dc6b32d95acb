package org.alder.server.migration;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.fuzz.Scratch;
import org.alder.partition.dn.Dn;
import org.alder.partition.testing.TestDirectory;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRuleParser;

/** Configurations of other servers: what is made of one can be started with, or it is refused; what an access rule of theirs becomes is one. */
public final class MigrationFuzz {
    private static final Path FILE = Scratch.file("foreign");
    private static final Path TRIAL = Scratch.file("trial.ldif");
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
