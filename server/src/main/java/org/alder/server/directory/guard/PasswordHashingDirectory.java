package org.alder.server.directory.guard;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Passwords;
import org.alder.server.auth.ReadyHashes;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.resource.HashingThreads;

/**
 * Stores new passwords hashed. A clear-text password that a client wants deleted (the usual way of a user to prove that he knows
 * the old one) is replaced by the stored value that it matches. Compare asks whether a value is the password, however it is
 * stored; a stored hash is not the password and compares false. All hashing is done on the threads for it.
 */
public final class PasswordHashingDirectory extends DirectoryFilter {
    private static final int MOST_VALUES = 5;

    private final Schema schema;
    private final Passwords passwords;
    private final HashingThreads threads;
    private final AttributeType userPassword;

    public PasswordHashingDirectory(Directory inner, Schema schema, Passwords passwords, HashingThreads threads) {
        super(inner);
        this.schema = schema;
        this.passwords = passwords;
        this.threads = threads;
        this.userPassword = schema.attributeType("userPassword");
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        List<Attribute> given = attributes.stream().filter(attribute -> isPassword(attribute.description())).toList();
        if (given.isEmpty()) {
            return super.add(context, dn, attributes);
        }
        try {
            requireStorable(context, given.stream().flatMap(attribute -> attribute.values().stream()).toList());
            if (passwords.keepsClearText()) {
                return super.add(context, dn, hashed(attributes));
            }
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return hashing(context, dn, () -> hashed(attributes)).thenCompose(hashed -> super.add(context, dn, hashed));
    }

    private List<Attribute> hashed(List<Attribute> attributes) throws DirectoryException {
        List<Attribute> result = new ArrayList<>(attributes.size());
        for (Attribute attribute : attributes) {
            result.add(!isPassword(attribute.description()) ? attribute
                    : new Attribute(attribute.description(), stored(attribute.values())));
        }
        return result;
    }

    /** One request may keep the threads that hash for a moment only. */
    private static void requireFew(int values) throws DirectoryException {
        if (values > MOST_VALUES) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the request has " + values
                    + " values of userPassword, at most " + MOST_VALUES + " are allowed in one request");
        }
    }

    private void requireStorable(OperationContext context, List<byte[]> values) throws DirectoryException {
        requireFew(values.size());
        ReadyHashes from = passwords.settings().readyHashes();
        boolean ready = from == ReadyHashes.ALL || from == ReadyHashes.ADMINISTRATOR && context.identity().administrator();
        for (byte[] value : values) {
            if (value.length > Passwords.MOST_BYTES && passwords.isClearText(value)) {
                throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "a password of " + value.length + " bytes, at most "
                        + Passwords.MOST_BYTES + " are allowed");
            } else if (!ready && !passwords.isClearText(value)) {
                throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "the password has the form of a stored one, such as"
                        + " {SCHEME}value or *, which " + (from == ReadyHashes.NONE ? "nobody" : "only the administrator")
                        + " may store (readyHashes): send the password itself");
            }
        }
    }

    /** An update in a transaction has to be part of it when this returns: then it waits here, on the transaction's thread. */
    private <T> CompletableFuture<T> hashing(OperationContext context, Dn dn, Callable<T> work) {
        CompletableFuture<T> done = threads.run(context.source(), dn, work);
        if (context.transaction() != null) {
            done.handle((result, failure) -> result).join();
        }
        return done;
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        if (modifications.stream().noneMatch(modification -> isPassword(modification.description()))) {
            return super.modify(context, dn, modifications);
        }
        try {
            requireFew(modifications.stream().filter(modification -> isPassword(modification.description()))
                    .mapToInt(modification -> modification.values().size()).sum());
            requireStorable(context, modifications.stream().filter(modification -> isPassword(modification.description())
                    && modification.kind() != Modification.Kind.DELETE).flatMap(each -> each.values().stream()).toList());
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return hashing(context, dn, () -> hashed(context, dn, modifications))
                .thenCompose(hashed -> super.modify(context, dn, hashed));
    }

    private List<Modification> hashed(OperationContext context, Dn dn,
            List<Modification> modifications) throws DirectoryException {
        List<Modification> result = new ArrayList<>(modifications.size());
        for (Modification modification : modifications) {
            if (!isPassword(modification.description())) {
                result.add(modification);
            } else if (modification.kind() != Modification.Kind.DELETE) {
                result.add(with(modification, stored(modification.values())));
            } else {
                result.add(modification.values().isEmpty() ? modification
                        : with(modification, matching(modification.values(),
                                currentPasswords(context, dn, schema.description(modification.description())))));
            }
        }
        return result;
    }

    private static Modification with(Modification modification, List<byte[]> values) {
        return new Modification(modification.kind(), modification.description(), values);
    }

    /** Equal values are refused here, because their salts make them different. */
    private List<byte[]> stored(List<byte[]> values) throws DirectoryException {
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

    private List<byte[]> matching(List<byte[]> given, List<byte[]> current) {
        List<byte[]> result = new ArrayList<>(given.size());
        for (byte[] value : given) {
            byte[] stored = passwords.storedFormOf(value, current);
            result.add(stored == null ? value : stored);
        }
        return result;
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException {
        CompletableFuture<Boolean> equal = super.compare(context, dn, description, value);
        if (!isPassword(description)) {
            return equal;
        }
        AttributeDescription asked = schema.description(description);
        List<byte[]> stored = currentPasswords(context.withOptions(OperationOptions.NONE), dn, asked);
        return threads.run(context.source(), dn, () -> passwords.verify(value, stored));
    }

    private List<byte[]> currentPasswords(OperationContext context, Dn dn, AttributeDescription asked) throws DirectoryException {
        SearchRequest request = new SearchRequest(dn, SearchScope.BASE, new Filter.Present("objectClass"), 0, 0, 0, true, false,
                SearchPosition.START);
        List<byte[]> values = new ArrayList<>();
        try (EntryCursor cursor = super.search(context, request)) {
            if (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                collect(cursor.attributes(), asked, values);
            }
        } catch (DirectoryException e) {
            // An entry that the same transaction adds is not there yet; if nothing adds it, the update itself will say so.
            if (context.transaction() == null) {
                throw e;
            }
        }
        return values;
    }

    private void collect(EntryAttributes entry, AttributeDescription asked, List<byte[]> values) {
        for (Attribute attribute : entry.userAttributes()) {
            AttributeDescription stored = schema.descriptionOrNull(attribute.description());
            if (stored != null && stored.isSubtypeOf(asked)) {
                values.addAll(attribute.values());
            }
        }
    }

    private boolean isPassword(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type().isSubtypeOf(userPassword);
    }
}
