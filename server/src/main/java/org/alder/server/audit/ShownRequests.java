package org.alder.server.audit;

import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Shows what requests ask for that are being answered, with the members that they have in the logs. Immutable, thread safe.
 *
 * @param isSecret whether the values of an attribute description are never shown
 * @param values what is shown of those that clients send, asked for each request
 */
public record ShownRequests(Predicate<String> isSecret, Supplier<ShownValues> values) {
    /** Shows no value at all. */
    public static final ShownRequests NO_VALUES = new ShownRequests(description -> true, () -> ShownValues.NONE);

    /** An object of JSON. */
    public String json(AuditedRequest request) {
        AuditLine line = new AuditLine(isSecret, values.get());
        request.describe(line);
        return line.end();
    }
}
