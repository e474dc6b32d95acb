package org.alder.server.policy;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.EntryNotes;
import org.alder.server.auth.Passwords;
import org.alder.server.auth.Passwords.Condition;
import org.alder.server.policy.PasswordUpdates.ChangedMeanwhile;
import org.alder.server.policy.PasswordUpdates.Setter;

/**
 * What is noted in an entry whose passwords one modify changes (draft-behera-ldap-password-policy-10 8.2.7): when it was, which ones
 * went, and that what wrong passwords led to is forgotten. What can have changed since the modify was prepared is decided here.
 */
final class PasswordNotes implements EntryNotes {
    private final Schema schema;
    private final PasswordPolicies policies;
    private final PasswordRules rules;
    private final List<Modification> stored;
    private final boolean sets;
    private final List<byte[]> compared;
    private final Map<ByteBuffer, byte[]> pastForms = new HashMap<>();

    /**
     * Hashes what goes into the history of passwords, if it is in clear text.
     *
     * @param stored the modifications as they are made
     * @param sets whether there is a password among them, not only locks
     * @param compared the old passwords that the new one is known to differ from; null if it was not compared
     */
    PasswordNotes(Schema schema, PasswordPolicies policies, PasswordRules rules, EntryPasswords seen, PasswordPolicy policy,
            List<Modification> stored, boolean sets, List<byte[]> compared) {
        this.schema = schema;
        this.policies = policies;
        this.rules = rules;
        this.stored = stored;
        this.sets = sets;
        this.compared = compared;
        seen.gone(schema, stored).stream().limit(kept(policy)).filter(PasswordNotes::isClearText)
                .forEach(value -> pastForms.put(ByteBuffer.wrap(value), rules.passwords().past(value)));
    }

    private static int kept(PasswordPolicy policy) {
        return Math.min(policy.change().history(), PasswordUpdates.MOST_COMPARED);
    }

    private static boolean isClearText(byte[] value) {
        return Passwords.report(value).condition() == Condition.CLEAR_TEXT;
    }

    @Override
    public List<Modification> of(Snapshot state, EntryView before) throws DirectoryException {
        PasswordPolicy policy = policies.of(policies.partition(rules.request().dn()), state, rules.request().dn(), before.record());
        EntryPasswords passwords = EntryPasswords.of(schema, state, before);
        AccountState now = policies.attributes().of(before.record());
        rules.requireAllowed(policy.change(), now, passwords);
        requireCompared(policy.change(), passwords);
        List<byte[]> gone = passwords.gone(schema, stored);
        List<Modification> changes = new ArrayList<>(policies.attributes().changes(now, next(policy, now, passwords, gone)));
        if (kept(policy) > 0 && !gone.isEmpty()) {
            changes.add(new Modification(Modification.Kind.REPLACE, PasswordHistory.ATTRIBUTE,
                    PasswordHistory.of(passwords.history()).with(past(gone), rules.request().time(), kept(policy))));
        }
        return changes;
    }

    private void requireCompared(PasswordPolicy.Change policy, EntryPasswords passwords) throws ChangedMeanwhile {
        if (sets && rules.comparesWithOld(policy) && (compared == null || !PasswordRules.old(policy, passwords).stream()
                .allMatch(value -> EntryPasswords.contains(compared, value)))) {
            throw new ChangedMeanwhile(rules.request().dn());
        }
    }

    private AccountState next(PasswordPolicy policy, AccountState now, EntryPasswords passwords, List<byte[]> gone) {
        if (sets) {
            boolean mustChange = policy.change().mustChange() && rules.request().setter() != Setter.OWNER;
            Instant time = policy == PasswordPolicy.NONE && now.changed() == null ? null : rules.request().time();
            return now.withPassword(time, mustChange);
        }
        return !gone.isEmpty() && gone.size() == passwords.all().size() && !brings() ? now.withChanged(null) : now;
    }

    /** Whether there is anything among the modifications that passwords become, be it locks. */
    private boolean brings() {
        return stored.stream().anyMatch(each -> each.kind() != Modification.Kind.DELETE && !each.values().isEmpty()
                && isPassword(each));
    }

    private boolean isPassword(Modification modification) {
        AttributeDescription description = schema.descriptionOrNull(modification.description());
        return description != null && description.type().isSubtypeOf(schema.attributeType("userPassword"));
    }

    /** As the history has them: without locks, which were no passwords. */
    private List<byte[]> past(List<byte[]> gone) throws ChangedMeanwhile {
        List<byte[]> past = new ArrayList<>(gone.size());
        for (byte[] value : gone) {
            boolean mustHash = isClearText(value) && !rules.passwords().keepsClearText();
            byte[] form = mustHash ? pastForms.get(ByteBuffer.wrap(value)) : rules.passwords().past(value);
            if (mustHash && form == null && past.size() < PasswordUpdates.MOST_COMPARED) {
                throw new ChangedMeanwhile(rules.request().dn());
            } else if (form != null) {
                past.add(form);
            }
        }
        return past;
    }
}
