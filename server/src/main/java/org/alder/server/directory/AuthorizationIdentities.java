package org.alder.server.directory;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.server.access.Right;
import org.alder.server.auth.Identity;
import org.alder.server.directory.EntryCursor.Step;

/** Finds whom an authorization identity (RFC 4513 5.2.1.8) means. Thread safe. */
public final class AuthorizationIdentities {
    private final Directory directory;
    private final Schema schema;
    private final Predicate<Dn> isOutOfUse;

    /** Where nobody is out of use. @param directory one with access control: who may not search for a user does not find him */
    public AuthorizationIdentities(Directory directory, Schema schema) {
        this(directory, schema, dn -> false);
    }

    /** @param isOutOfUse whether nobody can log in to an account, and so may not act as it either */
    public AuthorizationIdentities(Directory directory, Schema schema, Predicate<Dn> isOutOfUse) {
        this.directory = directory;
        this.schema = schema;
        this.isOutOfUse = isOutOfUse;
    }

    /** Parses the name of somebody. */
    public Dn dn(String text) throws DirectoryException {
        return Dn.parse(schema, text);
    }

    /**
     * In whose name an operation with proxied authorization is done (RFC 4370): for the administrator anybody's, for others that of
     * entries to which they have the right "proxy", as long as they know of them. Nobody acts as somebody else whose account is locked
     * by an administrator, out of use or not valid now.
     *
     * @param authorizationId {@code dn:} and a DN, {@code u:} and a uid, or nothing for anonymous
     * @throws DirectoryException authorizationDenied
     */
    public Identity proxied(OperationContext context, String authorizationId) throws DirectoryException {
        try {
            Identity found = identity(context, authorizationId);
            if (!directory.may(context, Right.PROXY, found.dn())) {
                throw notAllowed(context, authorizationId);
            } else if (!found.isAnonymous() && !found.equals(context.identity()) && isOutOfUse.test(found.dn())) {
                throw denied("the account \"" + found.dn().text() + "\" is locked or out of use");
            }
            return found;
        } catch (DirectoryException e) {
            throw context.identity().administrator() ? denied("nobody is known as \"" + authorizationId + "\": " + e.getMessage())
                    : notAllowed(context, authorizationId);
        }
    }

    /** The same for those who are not there. */
    private static DirectoryException notAllowed(OperationContext context, String authorizationId) {
        return denied((context.identity().isAnonymous() ? "anonymous clients" : '"' + context.identity().dn().text() + '"')
                + " may not act as \"" + authorizationId + '"');
    }

    /** Whether rules let somebody log in who has just shown who he is. */
    public boolean mayLogIn(OperationContext context, Identity identity) {
        return identity.isAnonymous() || directory.may(context.withIdentity(identity), Right.AUTHENTICATE, identity.dn());
    }

    private static DirectoryException denied(String reason) {
        return new DirectoryException(ResultCode.AUTHORIZATION_DENIED, "proxied authorization: " + reason);
    }

    private Identity identity(OperationContext context, String authorizationId) throws DirectoryException {
        if (authorizationId.isEmpty()) {
            return Identity.ANONYMOUS;
        }
        if (authorizationId.regionMatches(true, 0, "u:", 0, 2)) {
            return new Identity(userNamed(context, authorizationId.substring(2)), false);
        }
        if (!authorizationId.regionMatches(true, 0, "dn:", 0, 3)) {
            throw new DirectoryException(ResultCode.INVALID_DN_SYNTAX, "expected dn: and a DN, or u: and a uid");
        }
        Dn dn = Dn.parse(schema, authorizationId.substring(3));
        if (dn.isRoot()) {
            return Identity.ANONYMOUS;
        }
        return dn.equals(context.identity().dn()) ? context.identity() : new Identity(existing(context, dn), false);
    }

    private Dn existing(OperationContext context, Dn dn) throws DirectoryException {
        try (EntryCursor cursor = directory.search(context, SearchRequest.ofEntry(dn))) {
            cursor.step(Integer.MAX_VALUE);
        }
        return dn;
    }

    /** @throws DirectoryException noSuchObject, or unwillingToPerform if several users have the uid */
    public Dn userNamed(OperationContext context, String uid) throws DirectoryException {
        Filter filter = new Filter.Equality("uid", uid.getBytes(StandardCharsets.UTF_8));
        SearchRequest request = new SearchRequest(Dn.ROOT, SearchScope.SUBTREE, filter, 2, 0, 0, true, false,
                SearchPosition.START);
        Dn found = null;
        try (EntryCursor cursor = directory.search(context, request)) {
            for (Step step = cursor.step(Integer.MAX_VALUE); step != Step.END; step = cursor.step(Integer.MAX_VALUE)) {
                if (step == Step.MATCH && found != null) {
                    throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "several users have the uid " + uid
                            + ": name one by its DN");
                }
                found = step == Step.MATCH ? Dn.parse(schema, cursor.dn()) : found;
            }
        }
        if (found == null) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "no user has the uid " + uid);
        }
        return found;
    }
}
