package org.alder.partition.query;

import java.util.Set;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Opens search cursors: looks up the base, plans, and hands over. Immutable, thread safe. */
public final class QueryPlanner {
    private final Schema schema;
    private final AttributeIndexer indexer;
    private final EntryTree tree;
    private final Set<AttributeType> ignoredIndexes;

    /** @param ignoredIndexes attribute types whose indexes are not used */
    public QueryPlanner(Schema schema, AttributeIndexer indexer, EntryTree tree, Set<AttributeType> ignoredIndexes) {
        this.schema = schema;
        this.indexer = indexer;
        this.tree = tree;
        this.ignoredIndexes = Set.copyOf(ignoredIndexes);
    }

    /**
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist; unwillingToPerform for a filter over
     *     the limits
     */
    public SearchCursor open(Snapshot snapshot, SearchQuery query, SearchExtent extent) throws DirectoryException {
        long base = tree.resolve(snapshot, query.base());
        if (base == HierarchyKeys.NO_PARENT) {
            long matched = tree.deepestExisting(snapshot, query.base());
            throw new DirectoryException(ResultCodeEnum.NO_SUCH_OBJECT, "there is no entry \"" + query.base().text() + "\"",
                    matched == HierarchyKeys.NO_PARENT ? "" : tree.dnOf(snapshot, matched));
        }
        CompiledFilter filter = CompiledFilter.compile(schema, query.filter());
        PlanBuilder builder = new PlanBuilder(snapshot, query, base, query.base().size() == tree.suffix().size(),
                new IndexTerms(snapshot, indexer, tree, ignoredIndexes), extent.entries());
        builder.build(filter.whereTrue());
        Candidate candidate = new Candidate(snapshot, tree);
        return new SearchCursor(query, builder.plan(), CandidateSource.of(snapshot, builder.plan().candidates(), query.afterId()),
                new CandidateTest(candidate, builder.scopeTest(), builder.residual(), extent.without()));
    }
}
