package org.alder.server.directory;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.Filter;
import org.alder.partition.query.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.MatchingRule;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.Modification;
import org.alder.server.auth.Identity;

/**
 * Who may do what: everybody reads the root DSE and the schema; who has authenticated reads all entries of the partitions and
 * changes his own password; the administrator does everything; passwords and the monitor are shown to nobody else. Pure
 * functions. Thread safe.
 */
public final class AccessPolicy {
    private static final String OCTET_STRING_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.40";
    /** Evaluates to Undefined wherever it stands, as RFC 4511 4.5.1.7 wants of what may not be known. */
    private static final Filter UNDEFINED = new Filter.Equality("unreadable", new byte[0]);

    private final Schema schema;
    private final boolean anonymousRead;
    private final AttributeType userPassword;

    /** @param anonymousRead whether anonymous clients read what authenticated ones do */
    public AccessPolicy(Schema schema, boolean anonymousRead) {
        this.schema = schema;
        this.anonymousRead = anonymousRead;
        this.userPassword = schema.attributeType("userPassword");
    }

    public boolean maySearch(Identity identity, Dn base, SearchScope scope) {
        if (Monitor.contains(base)) {
            return identity.administrator();
        }
        return mayReadEntries(identity) || base.isRoot() && scope == SearchScope.BASE || Subschema.isSubschema(base);
    }

    public boolean mayReadEntry(Identity identity, Dn dn) {
        if (Monitor.contains(dn)) {
            return identity.administrator();
        }
        return mayReadEntries(identity) || dn.isRoot() || Subschema.isSubschema(dn);
    }

    private boolean mayReadEntries(Identity identity) {
        return anonymousRead || !identity.isAnonymous();
    }

    /** Which attributes the identity sees. */
    public AttributeAccess attributeAccess(Identity identity) {
        return identity.administrator() ? AttributeAccess.ALL : type -> !type.isSubtypeOf(userPassword);
    }

    /** Adding, deleting and renaming. */
    public boolean mayChangeEntries(Identity identity) {
        return identity.administrator();
    }

    /** Giving a new entry the attributes that the server maintains. */
    public boolean mayRelaxRules(Identity identity) {
        return identity.administrator();
    }

    public boolean mayModify(Identity identity, Dn dn, List<Modification> modifications) {
        return identity.administrator() || !identity.isAnonymous() && identity.dn().equals(dn)
                && modifications.stream().allMatch(modification -> isPassword(modification.description()));
    }

    public boolean mayCompare(Identity identity, String description) {
        return identity.administrator() || !isPassword(description);
    }

    /**
     * The filter with every assertion on what the identity may not read made Undefined, so that nothing can be guessed by
     * searching.
     */
    public Filter readable(Identity identity, Filter filter) {
        return identity.administrator() || !mentionsPassword(filter) ? filter : masked(filter);
    }

    private boolean mentionsPassword(Filter filter) {
        if (filter instanceof Filter.And and) {
            return and.parts().stream().anyMatch(this::mentionsPassword);
        }
        if (filter instanceof Filter.Or or) {
            return or.parts().stream().anyMatch(this::mentionsPassword);
        }
        if (filter instanceof Filter.Not not) {
            return mentionsPassword(not.part());
        }
        if (filter instanceof Filter.Extensible extensible && extensible.description() == null) {
            MatchingRule rule = schema.matchingRule(extensible.rule());
            return rule != null && rule.syntaxOid().equals(OCTET_STRING_SYNTAX);
        }
        return isPassword(descriptionOf(filter));
    }

    private Filter masked(Filter filter) {
        if (filter instanceof Filter.And and) {
            return new Filter.And(masked(and.parts()));
        }
        if (filter instanceof Filter.Or or) {
            return new Filter.Or(masked(or.parts()));
        }
        if (filter instanceof Filter.Not not) {
            return new Filter.Not(masked(not.part()));
        }
        return mentionsPassword(filter) ? UNDEFINED : filter;
    }

    private List<Filter> masked(List<Filter> parts) {
        List<Filter> result = new ArrayList<>(parts.size());
        parts.forEach(part -> result.add(masked(part)));
        return result;
    }

    private boolean isPassword(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type().isSubtypeOf(userPassword);
    }

    private static String descriptionOf(Filter filter) {
        if (filter instanceof Filter.Equality item) {
            return item.description();
        } else if (filter instanceof Filter.Present item) {
            return item.description();
        } else if (filter instanceof Filter.Substring item) {
            return item.description();
        } else if (filter instanceof Filter.GreaterOrEqual item) {
            return item.description();
        } else if (filter instanceof Filter.LessOrEqual item) {
            return item.description();
        } else if (filter instanceof Filter.Approximate item) {
            return item.description();
        } else if (filter instanceof Filter.Extensible item) {
            return item.description();
        }
        throw new IllegalArgumentException("a filter of several parts has no attribute: " + filter);
    }
}
