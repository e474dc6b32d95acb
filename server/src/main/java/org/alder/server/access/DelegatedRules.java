package org.alder.server.access;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;

/**
 * Rules that belong to an entry, the values of its attribute accessRule: they mean this entry and those below it, and hold behind the
 * rules of the configuration. Stateless.
 */
public final class DelegatedRules {
    private static final String ATTRIBUTE_OID = "2.25.278641466010882381359084238697260762259.1.151";

    private DelegatedRules() {
    }

    /** The attribute whose values are rules; null in a schema that has none. */
    public static AttributeType attribute(Schema schema) {
        return schema.attributeType(ATTRIBUTE_OID);
    }

    /** Whether values of the attribute are rules. */
    public static boolean isRule(AttributeType type) {
        return type.oid().equals(ATTRIBUTE_OID);
    }

    /**
     * In the order in which they are read. As values of an attribute have none, that is: denials, then grants, then those that grant
     * only.
     *
     * @param texts the values
     * @throws AccessRuleException if one is no rule, names what the schema has not, or means entries elsewhere
     */
    public static List<AccessRule> of(Schema schema, Dn entry, List<String> texts) throws AccessRuleException {
        List<AccessRule> rules = new ArrayList<>(texts.size());
        for (String text : texts) {
            rules.add(parse(schema, entry, text));
        }
        rules.sort(Comparator.comparingInt(rule -> rule.granted().isEmpty() ? 0 : rule.denied().isEmpty() ? 1 : 2));
        return rules;
    }

    /**
     * Values of accessRule have a form of their own, whoever writes them; all others are let by.
     *
     * @param entry whose values they are
     * @throws DirectoryException invalidAttributeSyntax, naming attribute and value, and where in it what was expected
     */
    public static void require(Schema schema, Dn entry, String attribute, List<byte[]> values) throws DirectoryException {
        AttributeDescription description = schema.descriptionOrNull(attribute);
        if (description == null || !isRule(description.type())) {
            return;
        }
        for (byte[] value : values) {
            try {
                parse(schema, entry, Utf8.decode(value));
            } catch (CharacterCodingException e) {
                throw notRule(attribute, value, "expected UTF-8");
            } catch (AccessRuleException e) {
                throw notRule(attribute, value, e.getMessage());
            }
        }
    }

    private static DirectoryException notRule(String attribute, byte[] value, String problem) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                "attribute " + attribute + ", value \"" + Utf8.shown(value) + "\": " + problem);
    }

    /** @throws AccessRuleException naming the column */
    public static AccessRule parse(Schema schema, Dn entry, String text) throws AccessRuleException {
        AccessRule rule = AccessRuleParser.parse(schema, text, "accessRule of \"" + entry.text() + '"');
        if (rule.place() == null) {
            return rule.in(new Place(SearchScope.SUBTREE, entry));
        } else if (!rule.place().dn().isDescendantOrSelf(entry)) {
            throw new AccessRuleException(text.indexOf('"'), "expected a DN at or below \"" + entry.text()
                    + "\", whose rule this is", null);
        }
        return rule;
    }

    /** Nobody but administrators may do anything at and below an entry. */
    public static AccessRule closed(Dn entry) {
        return new AccessRule("deny all", "accessRule of \"" + entry.text() + "\", which cannot be read", Set.of(),
                EnumSet.allOf(Right.class), new Place(SearchScope.SUBTREE, entry), null, AttributeTarget.ALL, Subject.ANYONE);
    }
}
