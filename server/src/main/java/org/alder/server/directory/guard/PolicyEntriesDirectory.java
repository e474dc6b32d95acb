package org.alder.server.directory.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.OperationContext;
import org.alder.server.policy.PolicyEntries;

/** Refuses updates that make an entry a password policy that cannot be, whoever makes them. Thread safe. */
public final class PolicyEntriesDirectory extends DirectoryFilter {
    private final PolicyEntries entries;

    public PolicyEntriesDirectory(Directory inner, Schema schema) {
        super(inner);
        this.entries = new PolicyEntries(schema);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        try {
            entries.require(dn.text(), attributes);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return super.add(context, dn, attributes);
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return super.modify(entries.concern(modifications) ? context.withNotes(entries.checked(context.notes(), modifications))
                : context, dn, modifications);
    }
}
