package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.server.access.Right;

/**
 * The directory as the protocol sees it. Access control, limits and password storage are decorators of it, and the protocol is
 * given the outermost one only. Thread safe; no method blocks on other clients.
 *
 * <p>Futures complete exceptionally with {@link DirectoryException} or {@link org.alder.partition.error.StoreException}, perhaps
 * on the store's writer thread: continuations must be short. An update's future completes when the change is as durable as was
 * configured.
 */
public interface Directory {
    /**
     * Whether whoever asks has a right to an entry as a whole, by rules of access if there are any.
     *
     * @param right one that is not of attributes
     */
    boolean may(OperationContext context, Right right, Dn dn);

    /** Names the rules by which whoever asks may know of entries: when they change, so does this. Empty if he may know all alike. */
    String rules(OperationContext context);

    /** What whoever asks may do with an entry, to be told to clients; nothing if there is no such entry. */
    EffectiveRights rights(OperationContext context, Dn dn);

    /** @throws DirectoryException noSuchObject with matchedDN if the base does not exist */
    EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException;

    /**
     * The changes of a search's content from now on.
     *
     * @param wholeContent whether entries that come into the content or leave it for whatever reason are told so; else only what
     *     operations did to entries that the search finds
     * @throws DirectoryException as search; unwillingToPerform for a scope beyond one naming context; adminLimitExceeded if there
     *     are too many of these
     */
    ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException;

    /**
     * What brings a copy of a search's content up to date.
     *
     * @param since up to where the copy is; null for an empty one
     * @throws DirectoryException as {@link #follow}
     */
    ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException;

    /**
     * A password is compared later, when its turn comes; all else at once.
     *
     * @throws DirectoryException noSuchObject, noSuchAttribute, undefinedAttributeType, inappropriateMatching,
     *     invalidAttributeSyntax
     */
    CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException;

    CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes);

    CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications);

    CompletableFuture<Change> delete(OperationContext context, Dn dn);

    /** A transaction that updates can be made part of ({@link OperationContext#transaction}). */
    UpdateTransaction begin();

    /** @param newSuperior null to stay under the same parent */
    CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior);
}
