package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import org.alder.partition.testing.TestDirectory;

/** Rules of access and of limits, which also stand in entries: each is read, or refused with the column of what is wrong. */
public final class AccessRuleFuzz {
    private AccessRuleFuzz() {
    }

    public static void rule(byte[] input) throws AccessRuleException {
        String text = new String(input, StandardCharsets.UTF_8);
        AccessRule rule;
        try {
            rule = AccessRuleParser.parse(TestDirectory.SCHEMA, text, "");
        } catch (AccessRuleException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith("column "));
            return;
        }
        assertEquals(text, rule.text());
        assertTrue("a rule that says nothing", !rule.granted().isEmpty() || !rule.denied().isEmpty());
        AccessRule again = AccessRuleParser.parse(TestDirectory.SCHEMA, text, "");
        assertEquals(rule.granted(), again.granted());
        assertEquals(rule.denied(), again.denied());
        assertEquals(rule.subject(), again.subject());
    }

    /** Rules about limits of some clients, and those that stand in entries. */
    public static void limit(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            LimitRule rule = LimitRule.parse(TestDirectory.SCHEMA, text, "");
            assertFalse("a rule that limits nothing", rule.limits().limits().isEmpty());
            assertEquals(rule.subject(), LimitRule.parse(TestDirectory.SCHEMA, text, "").subject());
        } catch (AccessRuleException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith("column "));
        }
    }
}
