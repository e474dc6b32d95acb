package org.alder.server.directory.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PolicyError;
import org.alder.server.policy.PolicyRefusal;

/**
 * Lets who has logged in with a password that an administrator has set change that, and read the root DSE, and nothing else until
 * it is changed (draft-behera-ldap-password-policy-10 8.1.2.2).
 */
public final class PasswordChangeFirst extends DirectoryFilter {
    private final Schema schema;
    private final AccountLogins logins;
    private final AttributeType userPassword;

    public PasswordChangeFirst(Directory inner, Schema schema, AccountLogins logins) {
        super(inner);
        this.schema = schema;
        this.logins = logins;
        this.userPassword = schema.attributeType("userPassword");
    }

    private boolean isFree(OperationContext context) {
        Identity identity = context.identity();
        return !identity.mustChangePassword() || !logins.mustChange(identity.dn());
    }

    private void require(OperationContext context) throws DirectoryException {
        if (!isFree(context)) {
            throw refusal();
        }
    }

    private static PolicyRefusal refusal() {
        return new PolicyRefusal(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                "the password was set by an administrator: change it before anything else", PolicyError.CHANGE_AFTER_RESET);
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        if (!request.base().isRoot() || request.scope() != SearchScope.BASE) {
            require(context);
        }
        return inner.search(context, request);
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        require(context);
        return inner.follow(context, request, wholeContent);
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        require(context);
        return inner.refresh(context, request, since);
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException {
        require(context);
        return inner.compare(context, dn, description, value);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        return isFree(context) ? inner.add(context, dn, attributes) : CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        boolean changesPassword = dn.equals(context.identity().dn()) && modifications.stream().allMatch(this::isOfPassword);
        return changesPassword || isFree(context) ? inner.modify(context, dn, modifications)
                : CompletableFuture.failedFuture(refusal());
    }

    private boolean isOfPassword(Modification modification) {
        AttributeDescription description = schema.descriptionOrNull(modification.description());
        return description != null && description.type() == userPassword;
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return isFree(context) ? inner.delete(context, dn) : CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return isFree(context) ? inner.rename(context, dn, newRdn, deleteOldRdn, newSuperior)
                : CompletableFuture.failedFuture(refusal());
    }
}
