package org.alder.server.directory.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.EntryNotes;
import org.alder.server.auth.Passwords;
import org.alder.server.auth.ReadyHashes;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchRequest;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PasswordUpdates;
import org.alder.server.policy.PasswordUpdates.PreparedAdd;
import org.alder.server.resource.HashingThreads;

/**
 * Stores new passwords hashed, if the policy lets them in ({@link PasswordUpdates}). A clear-text password that a client wants deleted
 * (the usual way of a user to prove that he knows the old one) is replaced by the stored value that it matches. Compare asks whether a
 * value is the password, however it is stored; a stored hash is not the password and compares false. All hashing is done on the
 * threads for it.
 */
public final class PasswordHashingDirectory extends DirectoryFilter {
    private static final int MOST_VALUES = 5;
    /** A password that is changed this often while an update of it is prepared is changed by somebody who does nothing else. */
    private static final int MOST_ATTEMPTS = 3;

    private final Schema schema;
    private final Passwords passwords;
    private final PasswordUpdates updates;
    private final HashingThreads threads;
    private final AccountLogins logins;

    public PasswordHashingDirectory(Directory inner, Schema schema, Passwords passwords, PasswordUpdates updates,
            HashingThreads threads, AccountLogins logins) {
        super(inner);
        this.schema = schema;
        this.passwords = passwords;
        this.updates = updates;
        this.threads = threads;
        this.logins = logins;
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        List<byte[]> given = List.of();
        for (Attribute attribute : attributes) {
            if (updates.isPassword(attribute.description())) {
                given = given.isEmpty() ? new ArrayList<>(attribute.values().size()) : given;
                given.addAll(attribute.values());
            }
        }
        if (given.isEmpty()) {
            return inner.add(context, dn, attributes);
        }
        try {
            requireStorable(context, given);
            if (updates.areQuick(context.identity())) {
                return add(context, dn, prepared(context, dn, attributes));
            }
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return hashing(context, dn, () -> prepared(context, dn, attributes)).thenCompose(add -> add(context, dn, add));
    }

    private PreparedAdd prepared(OperationContext context, Dn dn, List<Attribute> attributes) throws DirectoryException {
        return updates.add(context.identity(), dn, attributes);
    }

    private CompletableFuture<Change> add(OperationContext context, Dn dn, PreparedAdd add) {
        return inner.add(add.notes() == null ? context : context.withNotes(add.notes()), dn, add.attributes());
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
        List<Modification> given = passwords(modifications);
        if (given.isEmpty()) {
            if (!updates.areOfAccount(modifications)) {
                return inner.modify(context, dn, modifications);
            }
            EntryNotes unlocking = updates.unlocking(modifications);
            return audited(unlocking == null ? inner.modify(context, dn, modifications)
                    : noted(inner.modify(context.withNotes(unlocking), dn, modifications), dn), context, dn, modifications);
        }
        try {
            requireFew(given.stream().mapToInt(modification -> modification.values().size()).sum());
            requireStorable(context, given.stream().filter(modification -> modification.kind() != Modification.Kind.DELETE)
                    .flatMap(each -> each.values().stream()).toList());
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return audited(noted(modify(context, dn, modifications, 1), dn), context, dn, modifications);
    }

    private List<Modification> passwords(List<Modification> modifications) {
        List<Modification> given = List.of();
        for (Modification modification : modifications) {
            if (updates.isPassword(modification.description())) {
                given = given.isEmpty() ? new ArrayList<>(1) : given;
                given.add(modification);
            }
        }
        return given;
    }

    private CompletableFuture<Change> noted(CompletableFuture<Change> update, Dn dn) {
        return update.thenApply(change -> {
            updates.made(dn);
            return change;
        });
    }

    private CompletableFuture<Change> audited(CompletableFuture<Change> update, OperationContext context, Dn dn,
            List<Modification> modifications) {
        return context.options().dryRun() ? update : update.thenApply(change -> {
            updates.audit(context.audit(), context.identity(), dn, modifications);
            return change;
        });
    }

    private CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications, int attempt) {
        CompletableFuture<Change> made = hashing(context, dn, () -> updates.modify(context.identity(), dn, modifications,
                entry -> requireAdmitted(context, entry)))
                .thenCompose(modify -> inner.modify(context.withNotes(modify.notes()).withCheck(entry -> {
                    requireAdmitted(context, entry);
                    modify.current().require(entry);
                }), dn, modify.modifications()));
        return context.transaction() != null || attempt == MOST_ATTEMPTS ? made
                : made.exceptionallyCompose(failure -> isStale(failure) ? modify(context, dn, modifications, attempt + 1)
                        : CompletableFuture.failedFuture(failure));
    }

    private static void requireAdmitted(OperationContext context, CandidateEntry entry) throws DirectoryException {
        if (context.check() != null) {
            context.check().check(entry);
        }
    }

    private static boolean isStale(Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure) instanceof PasswordUpdates.ChangedMeanwhile;
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException {
        CompletableFuture<Boolean> equal = inner.compare(context, dn, description, value);
        if (!updates.isPassword(description)) {
            return equal;
        }
        AttributeDescription asked = schema.description(description);
        List<byte[]> stored = currentPasswords(context.withOptions(OperationOptions.NONE), dn, asked);
        boolean guesses = !context.identity().administrator();
        return threads.run(context.source(), dn, () -> {
            boolean verified = passwords.verify(value, stored);
            return guesses ? logins.compared(context.audit(), dn, verified) : verified;
        });
    }

    private List<byte[]> currentPasswords(OperationContext context, Dn dn, AttributeDescription asked) throws DirectoryException {
        List<byte[]> values = new ArrayList<>();
        try (EntryCursor cursor = inner.search(context, SearchRequest.ofEntry(dn))) {
            if (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                collect(cursor.attributes(), asked, values);
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
}
