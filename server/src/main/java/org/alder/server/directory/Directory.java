package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.update.Modification;
import org.alder.server.auth.Identity;

/**
 * The directory as the protocol sees it. Access control, limits and password storage are decorators of it, and the protocol is
 * given the outermost one only. Thread safe; no method blocks on other clients.
 *
 * <p>Futures complete exceptionally with {@link DirectoryException} or {@link org.alder.partition.error.StoreException}, perhaps
 * on the store's writer thread: continuations must be short. An update's future completes when the change is as durable as was
 * configured.
 */
public interface Directory {
    /** Who has this DN and password; invalidCredentials alike for a wrong password and an unknown DN. */
    CompletableFuture<Identity> bind(OperationContext context, Dn dn, byte[] password);

    /** @throws DirectoryException noSuchObject with matchedDN if the base does not exist */
    EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException;

    /**
     * @throws DirectoryException noSuchObject, noSuchAttribute, undefinedAttributeType, inappropriateMatching,
     *     invalidAttributeSyntax
     */
    boolean compare(OperationContext context, Dn dn, String description, byte[] value) throws DirectoryException;

    CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes);

    CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications);

    CompletableFuture<Change> delete(OperationContext context, Dn dn);

    /** @param newSuperior null to stay under the same parent */
    CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior);
}
