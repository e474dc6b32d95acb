package org.alder.server.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.store.ClusterService.Status;

/** Which members are to hold which logs, so that each has as many copies, and each member about as many logs as others: with as few new copies as that takes. One thread, used once. */
final class CopyTargets {
    private final Map<String, Status> statuses;
    private final List<String> here;
    private final Map<String, TreeSet<String>> holders = new LinkedHashMap<>();
    private final Map<String, Integer> held = new TreeMap<>();

    private CopyTargets(Map<String, Status> statuses, List<String> here) {
        this.statuses = statuses;
        this.here = here;
        here.forEach(name -> held.put(name, 0));
        statuses.forEach((log, status) -> {
            TreeSet<String> now = new TreeSet<>(status.toHold());
            holders.put(log, now);
            now.forEach(name -> held.merge(name, 1, Integer::sum));
        });
    }

    /**
     * @param statuses by the names of the logs
     * @param here     the members that may get copies, at least as many as copies
     * @return by the names of the logs, those alone whose holders are others than now
     */
    static Map<String, List<String>> of(Map<String, Status> statuses, List<String> here, int copies) {
        CopyTargets targets = new CopyTargets(statuses, here);
        targets.holders.keySet().forEach(log -> targets.number(log, copies));
        targets.even();
        Map<String, List<String>> changed = new LinkedHashMap<>();
        targets.holders.forEach((log, names) -> {
            List<String> before = statuses.get(log).holders();
            if (before == null || !new TreeSet<>(before).equals(names)) {
                changed.put(log, List.copyOf(names));
            }
        });
        return changed;
    }

    /** Those that are not here leave first, and then who holds most; who leads, last. */
    private void number(String log, int copies) {
        TreeSet<String> now = holders.get(log);
        while (now.size() > copies) {
            drop(log, now.stream().max(Comparator.<String, Boolean>comparing(name -> !here.contains(name)).thenComparing(held::get)
                    .thenComparing(name -> !name.equals(statuses.get(log).leader()))).orElseThrow());
        }
        while (now.size() < copies) {
            add(log, here.stream().filter(name -> !now.contains(name)).min(Comparator.comparing(held::get)).orElseThrow());
        }
    }

    private void add(String log, String name) {
        holders.get(log).add(name);
        held.merge(name, 1, Integer::sum);
    }

    private void drop(String log, String name) {
        holders.get(log).remove(name);
        held.merge(name, -1, Integer::sum);
    }

    /** Each move makes it more even, so there is an end. */
    private void even() {
        List<String> byLoad = new ArrayList<>(here);
        boolean isMoved = true;
        while (isMoved) {
            byLoad.sort(Comparator.comparing(held::get));
            String least = byLoad.get(0);
            String most = byLoad.get(byLoad.size() - 1);
            String log = held.get(most) - held.get(least) < 2 ? null
                    : holders.keySet().stream().filter(each -> holders.get(each).contains(most) && !holders.get(each).contains(least)).findFirst().orElse(null);
            isMoved = log != null;
            if (isMoved) {
                drop(log, most);
                add(log, least);
            }
        }
    }
}
