package org.alder.server.directory;

import org.alder.partition.filter.Filter;

/**
 * What a request's controls ask of an operation, beyond what RFC 4511 says of it. Immutable.
 *
 * @param assertion what must be true of the target entry, or null (RFC 4528)
 * @param showBefore whether the entry before the update is to be returned (RFC 4527)
 * @param showAfter whether the entry after it is
 * @param permissive whether a modify passes over what is so already
 * @param subtree whether a delete takes what is below the entry with it
 * @param relaxed whether an add may bring attributes that the server maintains
 * @param dryRun whether an update is only tried
 */
public record OperationOptions(Filter assertion, boolean showBefore, boolean showAfter, boolean permissive, boolean subtree,
                               boolean relaxed, boolean dryRun) {
    public static final OperationOptions NONE = new OperationOptions(null, false, false, false, false, false, false);

    boolean shows() {
        return showBefore || showAfter;
    }

    OperationOptions withAssertion(Filter other) {
        return new OperationOptions(other, showBefore, showAfter, permissive, subtree, relaxed, dryRun);
    }
}
