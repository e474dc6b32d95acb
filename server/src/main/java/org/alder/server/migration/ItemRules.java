package org.alder.server.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.migration.x501.X501Rules;

/** Puts the access rules that ACI items of entries become into a configuration, and says of each item what became of it. One thread. */
final class ItemRules {
    private final MigratedConfiguration target;
    private final List<Dn> suffixes;
    private final MigrationReport report;

    ItemRules(MigratedConfiguration target, List<Dn> suffixes, MigrationReport report) {
        this.target = target;
        this.suffixes = suffixes;
        this.report = report;
    }

    /** @param items the DN of the entry that has it, the item, and the entry's subtreeSpecification */
    void take(List<ForeignSetting> items) throws MigrationException {
        X501Rules<ForeignSetting> made = new X501Rules<>(target.schema());
        for (ForeignSetting item : items) {
            take(item, made);
        }
        Map<ForeignSetting, Integer> counts = new LinkedHashMap<>();
        for (X501Rules.Rule<ForeignSetting> rule : made.rules()) {
            add(rule, counts);
        }
        made.open().forEach((item, each) -> each.forEach(what -> report.open(item, "of \"" + item.word(0) + "\": " + what)));
        counts.forEach((item, count) -> report.mapped(item, count + " access rules"));
    }

    private void take(ForeignSetting item, X501Rules<ForeignSetting> made) {
        Dn holder;
        try {
            holder = Dn.parse(target.schema(), item.word(0));
        } catch (DirectoryException e) {
            suffixes.forEach(suffix -> made.takeUnknown(item, suffix, item.word(1)));
            return;
        }
        if (suffixes.stream().noneMatch(holder::isDescendantOrSelf)) {
            report.unneeded(item);
        } else if (item.name().equals("prescriptiveaci")) {
            made.takePrescriptive(item, holder, item.word(2), item.word(1));
        } else if (item.name().equals("entryaci")) {
            made.takeOfEntry(item, holder, item.word(1));
        } else {
            made.takeOfSubentries(item, holder, item.word(1));
        }
    }

    /** A rule that is refused and would deny becomes one that denies everything: the order of the others rests on it. */
    private void add(X501Rules.Rule<ForeignSetting> rule, Map<ForeignSetting, Integer> counts) throws MigrationException {
        ForeignSetting first = rule.sources().iterator().next();
        String comment = counts.containsKey(first) ? "" : first.toString();
        String problem = target.server().addRule(rule.text(), comment);
        if (problem == null) {
            rule.sources().forEach(source -> counts.merge(source, 1, Integer::sum));
            return;
        }
        report.open(first, "\"" + rule.text() + "\" is refused" + (rule.isGrant() ? ": " : ", and all is denied instead: ") + problem);
        if (!rule.isGrant()) {
            target.server().addRule("deny all to anyone", "instead of: " + first);
        }
    }
}
