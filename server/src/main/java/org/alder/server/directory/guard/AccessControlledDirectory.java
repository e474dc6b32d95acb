package org.alder.server.directory.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.access.AccessPolicy;
import org.alder.server.access.DelegatedRules;
import org.alder.server.access.EntryRights;
import org.alder.server.access.IdentityAccess;
import org.alder.server.access.Right;
import org.alder.server.audit.AuditTrail;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EffectiveRights;
import org.alder.server.directory.EntryCheck;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;

/**
 * Asks an {@link AccessPolicy} before each operation, and tells the directory below what whoever asks may know, so that what he may
 * not is neither found, counted nor shown. Administrators are asked nothing. Thread safe.
 */
public final class AccessControlledDirectory extends DirectoryFilter {
    private final Schema schema;
    private final AccessPolicy policy;
    private final AttributeType objectClass;
    private final AttributeType accessRule;

    public AccessControlledDirectory(Directory inner, Schema schema, AccessPolicy policy) {
        super(inner);
        this.schema = schema;
        this.policy = policy;
        this.objectClass = schema.attributeType("objectClass");
        this.accessRule = DelegatedRules.attribute(schema);
    }

    @Override
    public boolean may(OperationContext context, Right right, Dn dn) {
        IdentityAccess access = access(context);
        EntryRights byName = access.byName(dn);
        return (byName != null ? byName : rightsNow(context, access, dn)).may(right);
    }

    @Override
    public EffectiveRights rights(OperationContext context, Dn dn) {
        return new ToldRights(rightsNow(context, access(context), dn), objectClass);
    }

    private IdentityAccess access(OperationContext context) {
        return policy.of(context.identity(), context.client());
    }

    /** None if there is no such entry. */
    private EntryRights rightsNow(OperationContext context, IdentityAccess access, Dn dn) {
        EntryRights[] found = {EntryRights.NONE};
        SearchRequest request = SearchRequest.ofEntry(dn).withAccess(new Probe(entry -> found[0] = access.rights(entry)));
        try (EntryCursor cursor = inner.search(plain(context), request)) {
            cursor.step(Integer.MAX_VALUE);
        } catch (DirectoryException e) {
            // Shown or not there, it is not found.
            return found[0];
        }
        return found[0];
    }

    @Override
    public String rules(OperationContext context) {
        IdentityAccess access = access(context);
        return EntryAccess.isOfAll(access) ? "" : access.name();
    }

    /** Shows an entry as a search passes it, and finds none. */
    private record Probe(Consumer<CandidateEntry> taker) implements EntryAccess {
        @Override
        public AttributeAccess everywhere() {
            return null;
        }

        @Override
        public AttributeAccess of(CandidateEntry entry) {
            taker.accept(entry);
            return AttributeAccess.NONE;
        }
    }

    private static OperationContext plain(OperationContext context) {
        return new OperationContext(context.identity(), context.time(), context.client());
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        if (context.identity().administrator()) {
            return inner.search(context, request);
        }
        List<Dn> suffixes = policy.suffixes();
        IdentityAccess access = access(context);
        SearchRequest readable = readable(context, access, request);
        try {
            EntryCursor found = inner.search(context.asserts() ? asserting(context, access, request.base()) : context, readable);
            if (suffixes == policy.suffixes()) {
                return found;
            }
            // What may be known of all partitions alike was not asked about one that has come meanwhile.
            found.close();
            return search(context, request);
        } catch (DirectoryException e) {
            throw visible(context, e);
        }
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        IdentityAccess access = access(context);
        SearchRequest readable = readable(context, access, request);
        try {
            return new GuardedFeed(inner.follow(asserting(context, access, request.base()), readable, wholeContent),
                    () -> access(context).isSame(access), failure -> visible(context, failure));
        } catch (DirectoryException e) {
            throw visible(context, e);
        }
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        IdentityAccess access = access(context);
        SearchRequest readable = readable(context, access, request);
        try {
            return inner.refresh(asserting(context, access, request.base()), readable, since);
        } catch (DirectoryException e) {
            throw visible(context, e);
        }
    }

    private static SearchRequest readable(OperationContext context, IdentityAccess access, SearchRequest request)
            throws DirectoryException {
        boolean fromRoot = request.base().isRoot() && request.scope() != SearchScope.BASE;
        if (!mayFind(access, request.base()) || fromRoot && access.everywhere() == AttributeAccess.NONE) {
            throw denied(context.identity(), "search", request.base());
        }
        return request.withAccess(access);
    }

    /** As far as the name tells: what the content says is seen where the entry is found. */
    private static boolean mayFind(IdentityAccess access, Dn dn) {
        return !Boolean.FALSE.equals(access.mayFind(dn));
    }

    /** Neither an assertion nor the entry that an update shows must tell what a search would not. */
    private static OperationContext asserting(OperationContext context, IdentityAccess access, Dn dn) throws DirectoryException {
        if (context.asserts() && !mayFind(access, dn)) {
            throw denied(context.identity(), "assert anything about", dn);
        }
        return context.withAccess(access);
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String text, byte[] value)
            throws DirectoryException {
        AttributeDescription description = schema.descriptionOrNull(text);
        Need need = new Need(context, "compare " + text + " of", rights -> description == null ? rights.mayFind()
                : description.type().withSubtypes().stream().allMatch(type -> rights.may(Right.COMPARE, type, value)));
        IdentityAccess access = access(context);
        try {
            return inner.compare(checked(asserting(context, access, dn), access, dn, need), dn, text, value);
        } catch (DirectoryException e) {
            throw visible(context, e);
        }
    }

    private Throwable visible(OperationContext context, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof DirectoryException known ? visible(context, known) : failure;
    }

    /** With the deepest entry above a missing one that whoever asks may know of, as it is for an entry that is hidden. */
    private DirectoryException visible(OperationContext context, DirectoryException failure) {
        IdentityAccess access = access(context);
        if (failure.matchedDn().isEmpty() || EntryAccess.isOfAll(access)) {
            return failure;
        }
        String matched = "";
        for (Dn dn = Dn.stored(schema, failure.matchedDn()); matched.isEmpty() && !dn.isRoot(); dn = dn.parent()) {
            matched = spelling(plain(context), access, dn);
        }
        return new DirectoryException(failure.resultCode(), failure.getMessage(), matched);
    }

    /** Empty if there is no such entry for whoever asks. */
    private String spelling(OperationContext context, IdentityAccess access, Dn dn) {
        try (EntryCursor cursor = inner.search(context, SearchRequest.ofEntry(dn).withAccess(access))) {
            return cursor.step(Integer.MAX_VALUE) == EntryCursor.Step.MATCH ? cursor.dn() : "";
        } catch (DirectoryException e) {
            return "";
        }
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        try {
            for (Attribute attribute : attributes) {
                DelegatedRules.require(schema, dn, attribute.description(), attribute.values());
            }
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return update(context, dn, rights -> rights.mayAny(Right.ADD, objectClass) ? null : "add", checks -> checks.add(dn, attributes),
                checked -> inner.add(checked, dn, attributes));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        try {
            for (Modification modification : modifications) {
                if (modification.kind() != Modification.Kind.DELETE) {
                    DelegatedRules.require(schema, dn, modification.description(), modification.values());
                }
            }
        } catch (DirectoryException e) {
            // The accessRule of the configuration, which is no entry's, has a form of its own.
            if (policy.governs(dn)) {
                return CompletableFuture.failedFuture(e);
            }
        }
        return update(context, dn, rights -> unwritable(rights, modifications), checks -> checks.modify(dn, modifications),
                checked -> inner.modify(checked, dn, modifications));
    }

    /** What is not allowed whatever the values are; null if that depends on them. */
    private String unwritable(EntryRights rights, List<Modification> modifications) {
        for (Modification modification : modifications) {
            AttributeDescription description = schema.descriptionOrNull(modification.description());
            if (description == null || !rights.mayAny(Right.WRITE, description.type())
                    && !rights.mayAny(Right.SELF_WRITE, description.type())) {
                return "write attribute " + modification.description() + " of";
            }
        }
        return null;
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return update(context, dn, rights -> rights.may(Right.DELETE) ? null : "delete", checks -> checks.delete(dn),
                checked -> inner.delete(checked, dn));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return update(context, dn, rights -> rights.may(Right.RENAME_OUT) ? null : "rename",
                checks -> checks.rename(dn, newRdn, deleteOldRdn, newSuperior),
                checked -> inner.rename(checked, dn, newRdn, deleteOldRdn, newSuperior));
    }

    /**
     * What the name alone forbids is refused at once; all else is seen where the update finds the entries.
     *
     * @param refused what these rights do not allow, whatever is in the entries; null if that is not known
     */
    private CompletableFuture<Change> update(OperationContext context, Dn dn, Function<EntryRights, String> refused,
            Function<UpdateChecks, EntryCheck> check, Function<OperationContext, CompletableFuture<Change>> change) {
        if (context.identity().administrator()) {
            return change.apply(context);
        }
        try {
            IdentityAccess access = access(context);
            EntryRights rights = access.byName(dn);
            if (rights == EntryRights.ALL) {
                return change.apply(asserting(context, access, dn));
            }
            String verb = context.options().relaxed() ? "change what the server maintains of" : rights == null ? null : refused.apply(rights);
            if (verb != null) {
                throw denied(context.identity(), verb, dn);
            }
            EntryCheck asked = check.apply(new UpdateChecks(schema, context.identity(), access));
            return change.apply(asserting(context, access, dn).withCheck(asked)).exceptionallyCompose(failure ->
                    CompletableFuture.failedFuture(visible(context, failure)));
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What an operation needs of the rights to the entry it is about. */
    private record Need(OperationContext context, String verb, Predicate<EntryRights> rights) {
    }

    /** Decides by the name, if that is enough; else has the entry checked where the operation finds it. */
    private static OperationContext checked(OperationContext context, IdentityAccess access, Dn dn, Need need)
            throws DirectoryException {
        EntryRights rights = access.byName(dn);
        if (rights == null) {
            return context.withCheck(entry -> require(need, access.rights(entry), dn));
        }
        if (!need.rights.test(rights)) {
            throw denied(context.identity(), need.verb, dn);
        }
        return context;
    }

    /** An entry that he may not know of is not there for whoever asks. */
    private static void require(Need need, EntryRights rights, Dn dn) throws DirectoryException {
        if (need.rights.test(rights)) {
            return;
        }
        if (!rights.mayFind()) {
            need.context.audit().tell(AuditTrail.Kind.DENIAL, "hiddenEntry", dn.text(), "may not " + need.verb + " it, nor know of it");
        }
        throw rights.mayFind() ? denied(need.context.identity(), need.verb, dn)
                : DirectoryException.noSuchObject(dn.text(), dn.parent().text());
    }

    static DirectoryException denied(Identity identity, String verb, Dn dn) {
        String who = identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text() + '"';
        String advice = identity.isAnonymous() ? ": bind first" : "";
        return new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                who + " may not " + verb + " \"" + dn.text() + '"' + advice);
    }
}
