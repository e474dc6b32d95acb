package org.alder.server.directory.guard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.access.EntryRights;
import org.alder.server.access.IdentityAccess;
import org.alder.server.access.Right;
import org.alder.server.auth.Identity;
import org.alder.server.directory.EntryCheck;

/**
 * What updates need of the rights to the entries that they are about, asked in the state that they are applied to. An entry that
 * may not be found is not there: an update's error tells no more of it than a search would. Stateless.
 */
final class UpdateChecks {
    private final Schema schema;
    private final Identity identity;
    private final IdentityAccess access;

    /** @param access what the identity may do */
    UpdateChecks(Schema schema, Identity identity, IdentityAccess access) {
        this.schema = schema;
        this.identity = identity;
        this.access = access;
    }

    /** The right to add the entry, as it is to be, with each of its values. */
    EntryCheck add(Dn dn, List<Attribute> attributes) {
        return new EntryCheck() {
            @Override
            public void check(CandidateEntry entry) {
                // All is said before the name is looked at.
            }

            @Override
            public void checkPlace(CandidateEntry superior, CandidateEntry placed) throws DirectoryException {
                requireSuperior(superior, dn.parent());
                EntryRights rights = access.rights(placed);
                for (Attribute attribute : attributes) {
                    AttributeDescription description = schema.descriptionOrNull(attribute.description());
                    boolean held = description != null && may(rights, Right.ADD, description.type(), attribute.values());
                    require(held, "add attribute " + attribute.description() + " of", dn);
                }
                for (Ava ava : dn.rdn().avas()) {
                    require(may(rights, Right.ADD, ava.type(), List.of(ava.value())), "add attribute " + ava.typeText() + " of", dn);
                }
            }
        };
    }

    /** The right to write each value that is added or removed. */
    EntryCheck modify(Dn dn, List<Modification> modifications) {
        return entry -> {
            EntryRights rights = found(entry, dn);
            for (Modification modification : modifications) {
                AttributeDescription description = schema.descriptionOrNull(modification.description());
                requireWrite(description != null && mayModify(rights, entry, description, modification),
                        modification.description(), dn);
            }
        };
    }

    private boolean mayModify(EntryRights rights, CandidateEntry entry, AttributeDescription description,
            Modification modification) {
        AttributeType type = description.type();
        List<byte[]> values = modification.values();
        return switch (modification.kind()) {
            case ADD -> mayWrite(rights, type, values);
            case DELETE -> values.isEmpty() ? mayReplace(rights, entry.record(), description, values) : mayWrite(rights, type, values);
            case REPLACE -> mayReplace(rights, entry.record(), description, values);
            case INCREMENT -> rights.may(Right.WRITE, type);
        };
    }

    private static boolean may(EntryRights rights, Right right, AttributeType type, List<byte[]> values) {
        return rights.may(right, type) || values.stream().allMatch(value -> rights.may(right, type, value));
    }

    /** Whether the values may be added, or removed: who may not write them may write his own name. */
    private boolean mayWrite(EntryRights rights, AttributeType type, List<byte[]> values) {
        return rights.may(Right.WRITE, type) || values.stream().allMatch(value -> rights.may(Right.WRITE, type, value)
                || rights.may(Right.SELF_WRITE, type, value) && isOwnName(type, value));
    }

    private boolean isOwnName(AttributeType type, byte[] value) {
        byte[] own = identity.dn().text().getBytes(StandardCharsets.UTF_8);
        return !identity.isAnonymous() && type.holdsNames() && form(type, value).equals(form(type, own));
    }

    /** What stays is neither added nor removed. Values outside of the record are too many to be asked about one by one. */
    private boolean mayReplace(EntryRights rights, EntryAttributes entry, AttributeDescription description, List<byte[]> after) {
        AttributeType type = description.type();
        if (rights.may(Right.WRITE, type)) {
            return true;
        }
        if (entry.largeAttributes().stream().anyMatch(large -> description.equals(schema.descriptionOrNull(large.description())))) {
            return false;
        }
        List<byte[]> before = new ArrayList<>();
        AttributeCursor cursor = entry.cursor(true);
        while (cursor.next()) {
            if (description.equals(schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()))) {
                before.addAll(cursor.values());
            }
        }
        return mayWrite(rights, type, without(type, after, before)) && mayWrite(rights, type, without(type, before, after));
    }

    private static List<byte[]> without(AttributeType type, List<byte[]> values, List<byte[]> others) {
        Set<Octets> forms = new HashSet<>();
        others.forEach(value -> forms.add(form(type, value)));
        return values.stream().filter(value -> !forms.contains(form(type, value))).toList();
    }

    private static Octets form(AttributeType type, byte[] value) {
        try {
            return new Octets(type.equality() == null ? value : type.equality().normalizeAssertion(value));
        } catch (DirectoryException e) {
            return new Octets(value);
        }
    }

    /** The right to delete the entry, and each of those that go with it. */
    EntryCheck delete(Dn dn) {
        return new EntryCheck() {
            @Override
            public void check(CandidateEntry entry) throws DirectoryException {
                require(found(entry, dn).may(Right.DELETE), "delete", dn);
            }

            @Override
            public void checkBelow(CandidateEntry entry) throws DirectoryException {
                require(access.rights(entry).may(Right.DELETE), "delete all that is below", dn);
            }
        };
    }

    /** The right to take the old name away, to bring the new one, and to write the values that this changes. */
    EntryCheck rename(Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        Dn superiorDn = newSuperior == null ? dn.parent() : newSuperior;
        return new EntryCheck() {
            @Override
            public void check(CandidateEntry entry) throws DirectoryException {
                EntryRights rights = found(entry, dn);
                require(rights.may(Right.RENAME_OUT), "rename", dn);
                requireNames(rights, newRdn, dn.rdn());
                if (deleteOldRdn) {
                    requireNames(rights, dn.rdn(), newRdn);
                }
            }

            private void requireNames(EntryRights rights, Rdn changed, Rdn other) throws DirectoryException {
                for (Ava ava : changed.avas()) {
                    boolean stays = other.avas().stream().anyMatch(same -> same.type() == ava.type()
                            && form(same.type(), same.value()).equals(form(ava.type(), ava.value())));
                    requireWrite(stays || mayWrite(rights, ava.type(), List.of(ava.value())), ava.typeText(), dn);
                }
            }

            @Override
            public void checkPlace(CandidateEntry superior, CandidateEntry placed) throws DirectoryException {
                requireSuperior(superior, superiorDn);
                require(access.rights(placed).may(Right.RENAME_IN), "rename an entry to", superiorDn.child(newRdn));
            }
        };
    }

    private EntryRights found(CandidateEntry entry, Dn dn) throws DirectoryException {
        EntryRights rights = access.rights(entry);
        if (!rights.mayFind()) {
            throw DirectoryException.noSuchObject(dn.text(), dn.parent().text());
        }
        return rights;
    }

    private void requireSuperior(CandidateEntry superior, Dn dn) throws DirectoryException {
        if (superior != null && !access.rights(superior).mayFind()) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "the superior entry \"" + dn.text() + "\" does not exist",
                    dn.parent().text());
        }
    }

    private void requireWrite(boolean held, String description, Dn dn) throws DirectoryException {
        require(held, "write attribute " + description + " of", dn);
    }

    private void require(boolean held, String verb, Dn dn) throws DirectoryException {
        if (!held) {
            throw AccessControlledDirectory.denied(identity, verb, dn);
        }
    }
}
