package org.alder.partition.query;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Opens search cursors: looks up the base, plans, and hands over. Immutable, thread safe. */
public final class QueryPlanner {
    private static final String OBJECT_CLASS = "objectClass";
    private static final String REFERRAL = "referral";

    private final Schema schema;
    private final AttributeIndexer indexer;
    private final EntryTree tree;
    private final Set<AttributeType> ignoredIndexes;
    private final CompiledFilter referral;

    /** @param ignoredIndexes attribute types whose indexes are not used */
    public QueryPlanner(Schema schema, AttributeIndexer indexer, EntryTree tree, Set<AttributeType> ignoredIndexes) {
        this.schema = schema;
        this.indexer = indexer;
        this.tree = tree;
        this.ignoredIndexes = Set.copyOf(ignoredIndexes);
        this.referral = compileReferral(schema);
    }

    private static CompiledFilter compileReferral(Schema schema) {
        try {
            return CompiledFilter.compile(schema, new Filter.Equality(OBJECT_CLASS,
                    REFERRAL.getBytes(StandardCharsets.US_ASCII)));
        } catch (DirectoryException e) {
            throw new IllegalStateException("a filter of one item is within all limits", e);
        }
    }

    /**
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist; unwillingToPerform for a filter over
     *     the limits
     */
    public SearchCursor open(Snapshot snapshot, SearchQuery query) throws DirectoryException {
        long base = tree.resolve(snapshot, query.base());
        if (base == HierarchyKeys.NO_PARENT) {
            long matched = tree.deepestExisting(snapshot, query.base());
            throw new DirectoryException(ResultCodeEnum.NO_SUCH_OBJECT, "there is no entry \"" + query.base().text() + "\"",
                    matched == HierarchyKeys.NO_PARENT ? "" : tree.dnOf(snapshot, matched));
        }
        CompiledFilter filter = CompiledFilter.compile(schema, query.filter());
        PlanBuilder builder = new PlanBuilder(snapshot, query, base, query.base().size() == tree.suffix().size(),
                new IndexTerms(snapshot, indexer, tree, ignoredIndexes));
        builder.build(filter.whereTrue());
        Candidate candidate = new Candidate(snapshot, tree);
        return new SearchCursor(query, builder.plan(), CandidateSource.of(snapshot, builder.plan().candidates(), query.afterId()),
                new CandidateTest(candidate, builder.scopeTest(), builder.residual()), query.manageDsaIt() ? null : referral);
    }
}
