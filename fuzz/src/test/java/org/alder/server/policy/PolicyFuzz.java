package org.alder.server.policy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;

/** What entries say of passwords and accounts, also such as came before there was a schema for it: logins are judged by it. */
public final class PolicyFuzz {
    private static final Schema SCHEMA = Schema.load(List.of(Path.of("../conf/schema/ppolicy.ldif"),
            Path.of("../conf/schema/account-access.ldif")));
    private static final AccountAttributes ACCOUNTS = new AccountAttributes(SCHEMA);
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    private PolicyFuzz() {
    }

    /** Lines of {@code attribute: value}: of a policy, of an account, and of the passwords that it had. */
    public static void entry(byte[] input) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (String line : new String(input, StandardCharsets.ISO_8859_1).split("\n")) {
            int colon = line.indexOf(": ");
            if (colon > 0 && SCHEMA.attributeType(line.substring(0, colon)) != null) {
                values.computeIfAbsent(line.substring(0, colon), none -> new ArrayList<>())
                        .add(line.substring(colon + 2).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        List<Attribute> attributes = values.entrySet().stream().map(each -> new Attribute(each.getKey(), each.getValue())).toList();
        AccountState account = ACCOUNTS.of(EntryRecord.of(1, "cn=x".getBytes(StandardCharsets.UTF_8), List.of(), attributes));
        judge(PasswordPolicy.STANDARD, account);
        PasswordPolicy policy = policy(attributes);
        if (policy != null) {
            judge(policy, account);
        }
        history(attributes);
    }

    private static PasswordPolicy policy(List<Attribute> attributes) {
        try {
            new PolicyEntries(SCHEMA).require("cn=policy", attributes);
            return PolicyEntry.read(SCHEMA, "cn=policy", type -> attributes.stream()
                    .filter(each -> SCHEMA.attributeType(each.description()) == type).map(each -> each.values().get(0)).findFirst().orElse(null));
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.CONSTRAINT_VIOLATION, e.resultCode());
            assertTrue(e.getMessage(), e.getMessage().contains("cn=policy"));
            return null;
        }
    }

    private static void judge(PasswordPolicy policy, AccountState account) {
        boolean locked = LoginRules.isLocked(policy, account, NOW);
        LoginRules.Verdict right = LoginRules.right(policy, account, NOW);
        LoginRules.Verdict wrong = LoginRules.wrong(policy, account, NOW);
        assertFalse("a wrong password", wrong.isLogin());
        assertFalse("a locked account", locked && right.isLogin());
        assertEquals(locked, LoginRules.standing(policy, account, NOW).inactive());
        LoginRules.proven(policy, account, NOW);
        LoginRules.compared(policy, account, NOW);
        store(account, right.next());
        store(account, wrong.next());
    }

    /** What the entry says after the login is read as what the login led to. */
    private static void store(AccountState before, AccountState after) {
        List<Attribute> stored = new ArrayList<>();
        for (Modification change : ACCOUNTS.changes(before, after)) {
            if (!change.values().isEmpty()) {
                stored.add(new Attribute(change.description(), change.values()));
            }
        }
        AccountState read = ACCOUNTS.of(EntryRecord.of(1, "cn=x".getBytes(StandardCharsets.UTF_8), List.of(), stored));
        if (!after.failures().equals(before.failures())) {
            assertEquals(after.failures().stream().map(AccountAttributes::storable).toList(), read.failures());
        }
        if (after.lockedSince() != null && !after.lockedSince().equals(before.lockedSince())) {
            assertEquals(AccountAttributes.storable(after.lockedSince()), read.lockedSince());
        }
    }

    private static void history(List<Attribute> attributes) {
        List<byte[]> values = attributes.stream().filter(each -> each.description().equalsIgnoreCase(PasswordHistory.ATTRIBUTE)
                || each.description().equalsIgnoreCase(PasswordHistory.INHERITED)).flatMap(each -> each.values().stream()).toList();
        PasswordHistory history = PasswordHistory.of(values);
        int all = history.passwords(Integer.MAX_VALUE).size();
        assertTrue(all + " of " + values.size(), all <= values.size());
        List<byte[]> longer = history.with(List.of(new byte[] {'{'}), NOW, Integer.MAX_VALUE);
        assertEquals(all + 1, longer.size());
        assertEquals("read as it is written", all + 1, PasswordHistory.of(longer).passwords(Integer.MAX_VALUE).size());
    }
}
