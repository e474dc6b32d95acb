package org.alder.server.directory.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Octets;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.DelegatedRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the configuration, and behind them those that belong to entries, the values of accessRule, as they are in the newest
 * states: those of an entry before those of the entries above it. Which entries have any is known by a key of the hierarchy; where nothing was committed nothing is looked
 * at, and where no rule has changed the list is the same object. Thread safe.
 */
public final class RulesOfEntries implements Supplier<List<AccessRule>> {
    private static final Logger LOG = LoggerFactory.getLogger(RulesOfEntries.class);

    private final Schema schema;
    private final AttributeType accessRule;
    private final Partitions partitions;
    private final Supplier<List<AccessRule>> configured;
    private volatile Known known;

    /** An entry with rules. */
    private record Source(String dn, List<Octets> values) {
    }

    /** @param partitions all there were  @param sequences of their states  @param configured the rules of the configuration then */
    private record Known(List<Partition> partitions, long[] sequences, long schemaVersion, List<AccessRule> configured, List<Source> sources, List<AccessRule> rules) {
    }

    /** @param configured the rules of the configuration: the same object as long as they are the same */
    public RulesOfEntries(Schema schema, Supplier<List<Partition>> partitions, Supplier<List<AccessRule>> configured) {
        this.schema = schema;
        this.configured = configured;
        this.known = new Known(List.of(), new long[0], -1, configured.get(), List.of(), configured.get());
        this.accessRule = schema.attributeType("accessRule");
        this.partitions = new Partitions(partitions);
    }

    @Override
    public List<AccessRule> get() {
        Known last = known;
        List<AccessRule> rules = configured.get();
        if (accessRule == null) {
            return rules;
        } else if (last.configured == rules && last.schemaVersion == schema.version() && partitions.areAt(last.partitions, last.sequences)) {
            return last.rules;
        }
        Known now = partitions.read(all -> read(all, last, rules));
        known = now;
        return now.rules;
    }

    private Known read(List<Partition> all, Known last, List<AccessRule> now) {
        long version = schema.version();
        long[] sequences = new long[all.size()];
        List<Source> sources = new ArrayList<>(0);
        for (int i = 0; i < sequences.length; i++) {
            Partition partition = all.get(i);
            if (partition.isElsewhere() && partition.store().sequence() == 0) {
                // Nobody has been there since the start who has its entries: it shows nothing that its rules could be about.
                continue;
            }
            try (Snapshot snapshot = partition.snapshot()) {
                sequences[i] = snapshot.sequence();
                IdSet ids = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.accessRules());
                for (IdSet.IdIterator each = ids.iterator(); each.hasNext();) {
                    sources.add(source(partition, snapshot, each.next()));
                }
            }
        }
        boolean same = now == last.configured && version == last.schemaVersion && sources.equals(last.sources);
        return new Known(all, sequences, version, now, sources, same ? last.rules : rules(now, sources));
    }

    private Source source(Partition partition, Snapshot snapshot, long id) {
        EntryRecord record = snapshot.entry(id);
        return new Source(partition.dnOf(snapshot, id),
                StoredValues.of(schema, record, accessRule).stream().map(Octets::new).toList());
    }

    private List<AccessRule> rules(List<AccessRule> now, List<Source> sources) {
        if (sources.isEmpty()) {
            return now;
        }
        List<AccessRule> rules = new ArrayList<>(now);
        List<Source> deepestFirst = new ArrayList<>(sources);
        deepestFirst.sort(Comparator.comparingInt((Source source) -> Dn.stored(schema, source.dn).size()).reversed());
        for (Source source : deepestFirst) {
            rules.addAll(rules(source));
        }
        return List.copyOf(rules);
    }

    /** Where one cannot be read it is not known what it was to deny: then all is denied there. */
    private List<AccessRule> rules(Source source) {
        Dn dn = Dn.stored(schema, source.dn);
        try {
            return DelegatedRules.of(schema, dn, source.values.stream().map(value -> Utf8.stored(value.bytes())).toList());
        } catch (AccessRuleException e) {
            LOG.warn("all is denied to all but administrators at and below \"{}\": its accessRule, {}", source.dn, e.getMessage());
            return List.of(DelegatedRules.closed(dn));
        }
    }
}
