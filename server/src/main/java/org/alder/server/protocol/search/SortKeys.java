package org.alder.server.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SortOrder;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.server.control.search.ServerSideSort;

/** Makes orders of the keys in sort controls. An attribute without an ordering rule is ordered by its equality rule. */
final class SortKeys {
    private SortKeys() {
    }

    /** Why entries cannot be sorted. @param attribute the one to blame */
    record Refusal(ResultCode code, String attribute) {
    }

    /** @return null if {@link #refusal} says why */
    static SortOrder order(Schema schema, List<ServerSideSort.SortKey> keys) {
        List<SortOrder.Part> parts = new ArrayList<>(keys.size());
        for (ServerSideSort.SortKey key : keys) {
            AttributeDescription attribute = schema.descriptionOrNull(key.attribute());
            MatchingRule rule = attribute == null ? null : rule(schema, attribute, key);
            if (rule == null) {
                return null;
            }
            parts.add(new SortOrder.Part(attribute, rule, key.reverse()));
        }
        return new SortOrder(schema, parts);
    }

    static Refusal refusal(Schema schema, List<ServerSideSort.SortKey> keys) {
        for (ServerSideSort.SortKey key : keys) {
            AttributeDescription attribute = schema.descriptionOrNull(key.attribute());
            if (attribute == null) {
                return new Refusal(ResultCode.NO_SUCH_ATTRIBUTE, key.attribute());
            } else if (rule(schema, attribute, key) == null) {
                return new Refusal(ResultCode.INAPPROPRIATE_MATCHING, key.attribute());
            }
        }
        throw new IllegalArgumentException("nothing speaks against this order: " + keys);
    }

    private static MatchingRule rule(Schema schema, AttributeDescription attribute, ServerSideSort.SortKey key) {
        if (key.rule() != null) {
            MatchingRule rule = schema.matchingRule(key.rule());
            return rule == null || rule.supportsSubstring() ? null : rule;
        }
        return attribute.type().ordering() != null ? attribute.type().ordering() : attribute.type().equality();
    }
}
