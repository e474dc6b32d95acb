package org.alder.server.directory;

import java.util.List;
import org.alder.partition.filter.Filter;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;

/**
 * What a request's controls ask of an operation, beyond what RFC 4511 says of it. Immutable.
 *
 * @param assertion what must be true of the target entry, or null (RFC 4528)
 * @param showBefore whether the entry before the update is to be returned (RFC 4527)
 * @param showAfter whether the entry after it is
 * @param shown attributes that are wanted of either, {@code *} for all user attributes
 * @param permissive whether a modify passes over what is so already
 * @param subtree whether a delete takes what is below the entry with it
 * @param relaxed whether an add may bring, and a modify may change, attributes that the server maintains
 * @param dryRun whether an update is only tried
 * @param original whether no copy of what another server has may be read (RFC 6171)
 */
public record OperationOptions(Filter assertion, boolean showBefore, boolean showAfter, List<String> shown,
                               boolean permissive, boolean subtree, boolean relaxed, boolean dryRun, boolean original) {
    public static final OperationOptions NONE = new OperationOptions(null, false, false, List.of(), false, false, false,
            false, false);

    public boolean shows() {
        return showBefore || showAfter;
    }

    /** Whether the values of this user attribute may be wanted. */
    public boolean shows(Schema schema, String description) {
        return shown.stream().anyMatch(item -> item.equals("*") || item.startsWith("@")
                || isSubtype(schema.descriptionOrNull(description), schema.descriptionOrNull(item)));
    }

    private static boolean isSubtype(AttributeDescription stored, AttributeDescription asked) {
        return stored != null && asked != null && stored.isSubtypeOf(asked);
    }
}
