package org.alder.server.cli.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.RejectFile;
import org.alder.ldif.bulk.EntrySource;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.server.access.DelegatedRules;
import org.alder.server.policy.PolicyEntries;

/**
 * What a load makes of attributes that mean something to the server: passwords are stored as they should be, and entries whose access
 * rules are none, or that are password policies which cannot be, are rejected; locks that nothing here reads are noted; what only
 * another server knows what to do with is left out. One thread.
 */
final class ImportedEntries {
    private static final int MOST_DESCRIPTIONS = 1000;

    private enum Meaning {
        NONE, PASSWORD, RULE, POLICY, LOCK, FOREIGN, MARKED
    }

    private final Schema schema;
    private final ImportedPasswords passwords;
    private final PolicyEntries policies;
    private final ImportedLocks locks;
    private final ForeignState foreign;
    private final RejectFile rejects;
    private final Map<String, Meaning> descriptions = new HashMap<>();

    ImportedEntries(Schema schema, ImportedPasswords passwords, ImportedLocks locks, ForeignState foreign, RejectFile rejects) {
        this.schema = schema;
        this.passwords = passwords;
        this.locks = locks;
        this.foreign = foreign;
        this.policies = new PolicyEntries(schema);
        this.rejects = rejects;
    }

    /** The entries that may be stored, as they are stored. */
    EntrySource of(EntrySource source) {
        return () -> {
            LdifEntry entry = source.next();
            LdifEntry taken = taken(entry);
            while (taken == null && entry != null) {
                entry = source.next();
                taken = taken(entry);
            }
            return taken;
        };
    }

    private Meaning meaning(LdifAttribute line) {
        Meaning known = descriptions.get(line.description());
        if (known == null) {
            known = ForeignState.isMarked(line.description()) ? Meaning.MARKED
                    : ForeignState.isPart(line.description()) ? Meaning.FOREIGN : meaning(schema.descriptionOrNull(line.description()));
            if (descriptions.size() < MOST_DESCRIPTIONS) {
                descriptions.put(line.description(), known);
            }
        }
        return known;
    }

    private Meaning meaning(AttributeDescription description) {
        if (description == null) {
            return Meaning.NONE;
        } else if (passwords.isPassword(description)) {
            return Meaning.PASSWORD;
        } else if (DelegatedRules.isRule(description.type())) {
            return Meaning.RULE;
        } else if (locks.isPart(description)) {
            return Meaning.LOCK;
        }
        return policies.isPart(description) ? Meaning.POLICY : Meaning.NONE;
    }

    /** Null for none, and for an entry that is rejected or left out. */
    private LdifEntry taken(LdifEntry entry) throws IOException {
        if (entry == null) {
            return null;
        }
        boolean hasPassword = false;
        boolean isPolicy = false;
        boolean isForeign = false;
        for (LdifAttribute line : entry.attributes()) {
            Meaning meaning = meaning(line);
            if (meaning == Meaning.MARKED) {
                return taken(foreign.unmarked(entry));
            }
            if (meaning == Meaning.RULE && !isGood(entry, "line " + line.line() + ", ", () -> DelegatedRules.require(schema,
                    Dn.parse(schema, entry.dn()), line.description(), List.of(line.value())))) {
                return null;
            }
            if (meaning == Meaning.LOCK) {
                locks.note(entry, line);
            }
            hasPassword |= meaning == Meaning.PASSWORD;
            isPolicy |= meaning == Meaning.POLICY;
            isForeign |= meaning == Meaning.FOREIGN || ForeignState.isGroup(line);
        }
        if (isPolicy && !isGood(entry, "", () -> policies.require(entry.dn(), attributes(entry)))) {
            return null;
        }
        LdifEntry known = isForeign ? foreign.known(entry) : entry;
        return hasPassword && known != null ? stored(known) : known;
    }

    @FunctionalInterface
    private interface Check {
        void run() throws DirectoryException;
    }

    private boolean isGood(LdifEntry entry, String where, Check check) throws IOException {
        try {
            check.run();
            return true;
        } catch (DirectoryException e) {
            rejects.reject(entry, "entry \"" + entry.dn() + "\": " + where + e.getMessage());
            return false;
        }
    }

    private static List<Attribute> attributes(LdifEntry entry) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        entry.attributes().forEach(line -> values.computeIfAbsent(line.description(), none -> new ArrayList<>()).add(line.value()));
        return values.entrySet().stream().map(each -> new Attribute(each.getKey(), each.getValue())).toList();
    }

    /** The same object where no password is stored otherwise than it came. */
    private LdifEntry stored(LdifEntry entry) {
        List<LdifAttribute> attributes = entry.attributes();
        for (int i = 0; i < attributes.size(); i++) {
            LdifAttribute line = entry.attributes().get(i);
            LdifAttribute stored = meaning(line) == Meaning.PASSWORD ? passwords.stored(line) : line;
            if (stored != line) {
                attributes = attributes == entry.attributes() ? new ArrayList<>(attributes) : attributes;
                attributes.set(i, stored);
            }
        }
        return attributes == entry.attributes() ? entry : new LdifEntry(entry.line(), entry.dn(), entry.controls(), attributes);
    }
}
