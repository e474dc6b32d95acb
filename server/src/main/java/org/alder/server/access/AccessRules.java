package org.alder.server.access;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.schema.Schema;

/** The rules of a server that is not told any, and what stands for them among others. Stateless. */
public final class AccessRules {
    /** The line that stands for {@link #standard}. */
    public static final String DEFAULT = "default";

    private AccessRules() {
    }

    /**
     * Everybody sees the root DSE and the schema; who has authenticated sees all entries, and compares and changes his own password;
     * the monitor is for the administrator.
     *
     * @param anonymousRead whether anonymous clients see what authenticated ones do
     */
    public static List<String> standard(boolean anonymousRead) {
        return List.of(
                "grant view in base \"\" to anyone",
                "grant view in base \"cn=schema\" to anyone",
                "grant view in base \"cn=Subschema\" to anyone",
                "deny all in \"cn=Monitor\" to anyone",
                "grant authenticate to anyone",
                "grant compare, write of userPassword to self",
                "grant view to " + (anonymousRead ? "anyone" : "users"));
    }

    /** Adds what a line stands for to rules. @throws AccessRuleException if it cannot be read */
    public static void add(Schema schema, String line, String origin, boolean anonymousRead, List<AccessRule> rules)
            throws AccessRuleException {
        if (line.equalsIgnoreCase(DEFAULT)) {
            for (String text : standard(anonymousRead)) {
                rules.add(AccessRuleParser.parse(schema, text, DEFAULT));
            }
        } else {
            rules.add(AccessRuleParser.parse(schema, line, origin));
        }
    }

    /** The rules of a server that is not told any. */
    public static List<AccessRule> ofDefault(Schema schema, boolean anonymousRead) {
        List<AccessRule> rules = new ArrayList<>();
        try {
            add(schema, DEFAULT, DEFAULT, anonymousRead, rules);
        } catch (AccessRuleException e) {
            throw new IllegalStateException(e);
        }
        return rules;
    }
}
