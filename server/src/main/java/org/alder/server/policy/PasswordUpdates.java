package org.alder.server.policy;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.EntryNotes;
import org.alder.server.audit.AuditTrail;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;

/**
 * What an update that sets passwords is made of: what is stored for them, whether the entry's policy lets them in
 * (draft-behera-ldap-password-policy-10 8.2), and what is noted of them in the entry. It hashes, on the caller's thread. Thread safe.
 *
 * <p>What takes no time, such as the minimum age, is decided in the update's own transaction. What does, which is comparing a password
 * with old ones, is done before, and the transaction looks whether these are still the same ({@link ChangedMeanwhile}).
 */
public final class PasswordUpdates {
    /** More old passwords are not compared with a new one, whatever pwdInHistory says: each takes as long as a login. */
    static final int MOST_COMPARED = 24;
    private static final int MOST_GENERATED = 200;

    private final Schema schema;
    private final Passwords passwords;
    private final AccountLogins logins;
    private final PasswordPolicies policies;
    private final OwnWords ownWords;
    private final AttributeType userPassword;
    private final AttributeType lockedSince;

    public PasswordUpdates(Schema schema, Passwords passwords, AccountLogins logins) {
        this.schema = schema;
        this.passwords = passwords;
        this.logins = logins;
        this.policies = logins.policies();
        this.ownWords = new OwnWords(schema);
        this.userPassword = schema.attributeType("userPassword");
        this.lockedSince = schema.attributeType(AccountAttributes.LOCKED_SINCE);
    }

    /** Who sets a password: what the policy asks for depends on it. */
    enum Setter {
        /** Is asked for nothing. */
        ADMINISTRATOR,
        /** Whose password it is. */
        OWNER,
        /** Whoever else may, such as a help desk: what is about the user's habits does not count, what is about the password does. */
        OTHER;

        static Setter of(Identity identity, Dn dn) {
            return identity.administrator() ? ADMINISTRATOR : !identity.isAnonymous() && identity.dn().equals(dn) ? OWNER : OTHER;
        }
    }

    /** Who asks for an update of which entry, and when. */
    record Request(Setter setter, Dn dn, Instant time) {
    }

    /**
     * A modify that is ready to be made.
     *
     * @param current has to admit the entry in the same update: the passwords that are to go are still there
     * @param notes belong to the same update
     */
    public record Prepared(List<Modification> modifications, Admission current, EntryNotes notes) {
    }

    /** An add that is ready to be made. @param notes belong to the same update; null for none */
    public record PreparedAdd(List<Attribute> attributes, EntryNotes notes) {
    }

    /** Has to let somebody update the entry, before anything that takes long, or tells something, is done. */
    @FunctionalInterface
    public interface Admission {
        /** @throws DirectoryException the operation's result */
        void require(CandidateEntry entry) throws DirectoryException;
    }

    /** The passwords of the entry are other ones than those that the update was prepared for: it is to be prepared again. */
    public static final class ChangedMeanwhile extends DirectoryException {
        private static final long serialVersionUID = 1L;

        ChangedMeanwhile(Dn dn) {
            super(ResultCode.BUSY, "the password of \"" + dn.text() + "\" was changed at the same time, or in the same transaction");
        }
    }

    /** Whether an attribute holds passwords. */
    public boolean isPassword(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && isPassword(description);
    }

    private boolean isPassword(AttributeDescription description) {
        return description.type().isSubtypeOf(userPassword);
    }

    /** Whether an add that brings passwords is prepared in no time. */
    public boolean areQuick(Identity identity) {
        return passwords.keepsClearText() && (identity.administrator() || policies.areOff());
    }

    /** What goes with an update that ends a lock: what the lock came from goes too. Null if the update does not. */
    public EntryNotes unlocking(List<Modification> modifications) {
        for (Modification each : modifications) {
            if (each.values().isEmpty() && each.kind() != Modification.Kind.ADD && isLockedSince(each.description())) {
                return (state, before) -> {
                    AccountState now = policies.attributes().of(before.record());
                    return unnamed(policies.attributes().changes(now, now.unlocked()), modifications);
                };
            }
        }
        return null;
    }

    /** Whether a modify changes what an entry says of its account. */
    public boolean areOfAccount(List<Modification> modifications) {
        for (Modification each : modifications) {
            if (policies.attributes().isOne(each)) {
                return true;
            }
        }
        return false;
    }

    /**
     * After a modify of somebody's account, be it a lock or the end of one, or of another's password: whoever runs the server is told.
     *
     * @param modifications as they were asked for
     */
    public void audit(AuditTrail audit, Identity identity, Dn dn, List<Modification> modifications) {
        if (Setter.of(identity, dn) != Setter.OWNER && modifications.stream().anyMatch(each -> isPassword(each.description()))) {
            audit.tell(AuditTrail.Kind.POLICY, "passwordReset", dn.text(), "somebody else than its owner has set the password");
        }
        if (areOfAccount(modifications)) {
            List<Modification> ofAccount = modifications.stream().filter(policies.attributes()::isOne).toList();
            audit.tell(AuditTrail.Kind.POLICY, "accountChanged", dn.text(), Modification.shown(ofAccount));
        }
    }

    /** After an update whose notes were made here: what was counted of the account is of before it. */
    public void made(Dn dn) {
        logins.forget(dn);
    }

    private boolean isLockedSince(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type() == lockedSince;
    }

    /** Without what the client itself changes. */
    private List<Modification> unnamed(List<Modification> changes, List<Modification> asked) {
        Set<AttributeType> named = new HashSet<>();
        for (Modification each : asked) {
            AttributeDescription description = schema.descriptionOrNull(each.description());
            if (description != null) {
                named.add(description.type());
            }
        }
        return changes.stream().filter(change -> !named.contains(schema.attributeType(change.description()))).toList();
    }

    /** The entry as it is before the update. */
    private record Seen(EntryPasswords passwords, AccountState account, PasswordPolicy policy, List<Attribute> attributes) {
    }

    private Seen seen(Dn dn, Admission admission) throws DirectoryException {
        Partition partition = policies.partition(dn);
        if (partition != null) {
            try (Snapshot state = partition.snapshot()) {
                EntryView entry = partition.read(state, dn);
                if (entry != null) {
                    admission.require(partition.candidate(state, entry));
                    return new Seen(EntryPasswords.of(schema, state, entry), policies.attributes().of(entry.record()),
                            policies.of(partition, state, dn, entry.record()), entry.record().userAttributes());
                }
            }
        }
        return new Seen(EntryPasswords.NONE, AccountState.EMPTY, PasswordPolicy.NONE, List.of());
    }

    /**
     * Prepares a modify that changes passwords.
     *
     * @throws DirectoryException what the policy says against it, a {@link PolicyRefusal}; attributeOrValueExists
     */
    public Prepared modify(Identity identity, Dn dn, List<Modification> asked, Admission admission)
            throws DirectoryException {
        Request request = new Request(Setter.of(identity, dn), dn, now());
        Seen seen = seen(dn, admission);
        List<Modification> matched = matched(asked, seen.passwords);
        List<byte[]> wanted = new ArrayList<>();
        boolean proves = false;
        for (int i = 0; i < asked.size(); i++) {
            if (isPassword(asked.get(i).description())) {
                proves |= wanted.isEmpty() && matched.get(i) != asked.get(i);
                wanted.addAll(asked.get(i).kind() == Modification.Kind.DELETE ? List.of() : asked.get(i).values());
            }
        }
        PasswordRules rules = new PasswordRules(request, passwords, proves);
        rules.requireAllowed(seen.policy.change(), seen.account, seen.passwords);
        rules.requireGood(seen.policy.change(), quality(seen.policy), ownWords.of(seen.attributes), wanted);
        List<byte[]> compared = rules.requireNew(seen.policy.change(), seen.passwords, wanted);
        List<Modification> stored = stored(matched);
        boolean sets = wanted.stream().anyMatch(value -> !passwords.isLock(value));
        PasswordNotes notes = new PasswordNotes(schema, policies, rules, seen.passwords, seen.policy, stored, sets, compared);
        return new Prepared(stored, entry -> requireCurrent(dn, asked, matched, entry),
                (state, before) -> unnamed(notes.of(state, before), asked));
    }

    /** Another hash of the same password may have come in between: a login replaces a weak one. */
    private void requireCurrent(Dn dn, List<Modification> asked, List<Modification> matched, CandidateEntry entry)
            throws ChangedMeanwhile {
        List<byte[]> current = EntryPasswords.of(schema, entry.record(), entry.largeValues()).all();
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i) != matched.get(i) && !matched.get(i).values().stream()
                    .allMatch(value -> EntryPasswords.contains(current, value))) {
                throw new ChangedMeanwhile(dn);
            }
        }
    }

    /**
     * The modifications with the stored value of a password that is to go in its place, which is the usual way of a user to show that he
     * knows it: they are the same objects where there is none.
     */
    private List<Modification> matched(List<Modification> asked, EntryPasswords current) throws DirectoryException {
        List<Modification> result = new ArrayList<>(asked.size());
        for (Modification each : asked) {
            boolean deletes = each.kind() == Modification.Kind.DELETE && isPassword(each.description());
            result.add(deletes ? matched(each, current.of(schema.description(each.description()))) : each);
        }
        return result;
    }

    private Modification matched(Modification asked, List<byte[]> current) {
        List<byte[]> values = new ArrayList<>(asked.values().size());
        boolean found = false;
        for (byte[] value : asked.values()) {
            byte[] stored = passwords.storedFormOf(value, current);
            found |= stored != null;
            values.add(stored == null ? value : stored);
        }
        return found ? new Modification(asked.kind(), asked.description(), values) : asked;
    }

    private Instant now() {
        return AccountAttributes.storable(policies.settings().clock().instant());
    }

    private PasswordQuality quality(PasswordPolicy policy) {
        return policies.settings().quality().withLengths(policy.change().minimumLength(), policy.change().maximumLength());
    }

    private List<Modification> stored(List<Modification> matched) throws DirectoryException {
        List<Modification> result = new ArrayList<>(matched.size());
        for (Modification each : matched) {
            boolean sets = each.kind() != Modification.Kind.DELETE && isPassword(each.description());
            result.add(sets ? new Modification(each.kind(), each.description(), storedValues(each.values())) : each);
        }
        return result;
    }

    /** Equal values are refused here, because their salts make them different. */
    private List<byte[]> storedValues(List<byte[]> values) throws DirectoryException {
        Set<ByteBuffer> distinct = new HashSet<>();
        List<byte[]> result = new ArrayList<>(values.size());
        for (byte[] value : values) {
            if (!distinct.add(ByteBuffer.wrap(value))) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "the same password is given twice");
            }
            result.add(passwords.toStored(value));
        }
        return result;
    }

    /**
     * Prepares an add that brings passwords.
     *
     * @throws DirectoryException as {@link #modify}
     */
    public PreparedAdd add(Identity identity, Dn dn, List<Attribute> asked) throws DirectoryException {
        Request request = new Request(Setter.of(identity, dn), dn, now());
        List<byte[]> wanted = new ArrayList<>();
        List<Attribute> result = new ArrayList<>(asked.size());
        for (Attribute attribute : asked) {
            boolean isPassword = isPassword(attribute.description());
            wanted.addAll(isPassword ? attribute.values() : List.of());
            result.add(isPassword ? new Attribute(attribute.description(), storedValues(attribute.values())) : attribute);
        }
        if (request.setter != Setter.ADMINISTRATOR && !policies.areOff()) {
            PasswordPolicy policy = policyOfNew(dn, asked);
            new PasswordRules(request, passwords, false).requireGood(policy.change(), quality(policy), ownWords.of(asked), wanted);
        }
        return new PreparedAdd(result, policies.areOff() ? null : (state, added) -> added(request, state, added));
    }

    private PasswordPolicy policyOfNew(Dn dn, List<Attribute> asked) {
        Partition partition = policies.partition(dn);
        if (partition == null) {
            return PasswordPolicy.NONE;
        }
        try (Snapshot state = partition.snapshot()) {
            return policies.of(partition, state, dn, EntryRecord.of(0, new byte[0], asked, List.of()));
        }
    }

    private List<Modification> added(Request request, Snapshot state, EntryView added) {
        AccountState now = policies.attributes().of(added.record());
        PasswordPolicy policy = policies.of(policies.partition(request.dn), state, request.dn, added.record());
        boolean mustChange = now.reset() || policy.change().mustChange() && request.setter != Setter.OWNER;
        return policy == PasswordPolicy.NONE || now.changed() != null || now.inherited().expires() != null ? List.of()
                : policies.attributes().changes(now, now.withChanged(request.time).withReset(mustChange));
    }

    /** A new password for the entry, as its policy wants it. */
    public byte[] generate(Dn dn) throws DirectoryException {
        Seen seen = seen(dn, entry -> { });
        PasswordPolicy.Change change = seen.policy.change();
        PasswordQuality quality = quality(seen.policy);
        int length = Math.max(Passwords.GENERATED_LENGTH, quality.minLength());
        length = quality.maxLength() == 0 ? length : Math.min(length, quality.maxLength());
        for (int i = 0; i < MOST_GENERATED; i++) {
            byte[] password = passwords.generate(Math.min(length, Passwords.MOST_BYTES), quality.minClasses() > 3);
            if (change.quality() == 0 || quality.judge(password, ownWords.of(seen.attributes)) == null) {
                return password;
            }
        }
        throw new DirectoryException(ResultCode.OTHER, "no password was found by chance that the policy for \"" + dn.text()
                + "\" lets in: give one");
    }
}
