package org.alder.partition.testing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;

/**
 * The plainest directory there is: DNs and values are ASCII words, equal without case; every entry is an inetOrgPerson. Tells the
 * result code each update must have. Shares no code with what it judges.
 */
final class DirectoryOracle {
    static final Set<String> SINGLE_VALUED = Set.of("employeenumber");
    static final Set<String> REQUIRED = Set.of("cn", "sn");

    /** An entry: attribute -> value in lower case -> value as it is spelt. Not called Entry, which a subclass of a map has of its map. */
    static final class Kept extends TreeMap<String, Map<String, String>> {
        private static final long serialVersionUID = 1L;

        Kept copy() {
            Kept copy = new Kept();
            forEach((attribute, values) -> copy.put(attribute, new LinkedHashMap<>(values)));
            return copy;
        }

        boolean has(String attribute, String value) {
            return getOrDefault(attribute, Map.of()).containsKey(lower(value));
        }

        boolean addValue(String attribute, String value) {
            return computeIfAbsent(attribute, any -> new LinkedHashMap<>()).putIfAbsent(lower(value), value) == null;
        }

        boolean removeValue(String attribute, String value) {
            Map<String, String> values = getOrDefault(attribute, new HashMap<>());
            boolean removed = values.remove(lower(value)) != null;
            if (values.isEmpty()) {
                remove(attribute);
            }
            return removed;
        }

        private ResultCode schemaCode() {
            if (SINGLE_VALUED.stream().anyMatch(attribute -> getOrDefault(attribute, Map.of()).size() > 1)) {
                return ResultCode.CONSTRAINT_VIOLATION;
            }
            return keySet().containsAll(REQUIRED) ? ResultCode.SUCCESS : ResultCode.OBJECT_CLASS_VIOLATION;
        }
    }

    record Change(Modification.Kind kind, String attribute, List<String> values) {
    }

    private final String suffix;
    private final Map<String, Kept> entries = new TreeMap<>();

    /** @param suffix counts as an entry that is always there */
    DirectoryOracle(String suffix) {
        this.suffix = suffix;
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    static String parent(String dn) {
        return dn.substring(dn.indexOf(',') + 1);
    }

    private static String attribute(String rdn) {
        return lower(rdn.substring(0, rdn.indexOf('=')));
    }

    private static String value(String rdn) {
        int comma = rdn.indexOf(',');
        return rdn.substring(rdn.indexOf('=') + 1, comma < 0 ? rdn.length() : comma);
    }

    Map<String, Kept> entries() {
        return entries;
    }

    private boolean exists(String dn) {
        return dn.equals(suffix) || entries.containsKey(dn);
    }

    ResultCode add(String dnText, List<String> lines) {
        String dn = lower(dnText);
        Kept entry = new Kept();
        Set<String> repeated = new HashSet<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            if (!entry.addValue(lower(line.substring(0, colon)), line.substring(colon + 2))) {
                repeated.add(line);
            }
        }
        entry.addValue(attribute(dnText), value(dnText));
        ResultCode code = repeated.isEmpty() ? entry.schemaCode() : ResultCode.ATTRIBUTE_OR_VALUE_EXISTS;
        if (code != ResultCode.SUCCESS) {
            return code;
        }
        if (!exists(parent(dn))) {
            return ResultCode.NO_SUCH_OBJECT;
        }
        return entries.putIfAbsent(dn, entry) == null ? ResultCode.SUCCESS : ResultCode.ENTRY_ALREADY_EXISTS;
    }

    ResultCode delete(String dnText) {
        String dn = lower(dnText);
        if (!exists(dn)) {
            return ResultCode.NO_SUCH_OBJECT;
        }
        if (entries.keySet().stream().anyMatch(other -> parent(other).equals(dn))) {
            return ResultCode.NOT_ALLOWED_ON_NON_LEAF;
        }
        entries.remove(dn);
        return ResultCode.SUCCESS;
    }

    ResultCode modify(String dnText, List<Change> changes) {
        String dn = lower(dnText);
        if (!exists(dn)) {
            return ResultCode.NO_SUCH_OBJECT;
        }
        Kept entry = entries.get(dn).copy();
        for (Change change : changes) {
            ResultCode code = apply(entry, change);
            if (code != ResultCode.SUCCESS) {
                return code;
            }
        }
        ResultCode code = entry.has(attribute(dn), value(dn)) ? entry.schemaCode() : ResultCode.NOT_ALLOWED_ON_RDN;
        if (code == ResultCode.SUCCESS) {
            entries.put(dn, entry);
        }
        return code;
    }

    private static ResultCode apply(Kept entry, Change change) {
        if (change.kind() == Modification.Kind.DELETE) {
            return applyDelete(entry, change);
        }
        if (change.kind() == Modification.Kind.REPLACE) {
            entry.remove(change.attribute());
        }
        for (String value : change.values()) {
            if (!entry.addValue(change.attribute(), value)) {
                return ResultCode.ATTRIBUTE_OR_VALUE_EXISTS;
            }
        }
        return ResultCode.SUCCESS;
    }

    private static ResultCode applyDelete(Kept entry, Change change) {
        if (change.values().isEmpty()) {
            return entry.remove(change.attribute()) == null ? ResultCode.NO_SUCH_ATTRIBUTE : ResultCode.SUCCESS;
        }
        boolean all = change.values().stream().allMatch(value -> entry.removeValue(change.attribute(), value));
        return all ? ResultCode.SUCCESS : ResultCode.NO_SUCH_ATTRIBUTE;
    }

    /** @param newSuperior or null */
    ResultCode rename(String dnText, String newRdn, boolean deleteOldRdn, String newSuperior) {
        String dn = lower(dnText);
        String superior = newSuperior == null ? parent(dn) : lower(newSuperior);
        if (superior.equals(dn) || superior.endsWith("," + dn)) {
            return ResultCode.UNWILLING_TO_PERFORM;
        }
        if (!exists(dn) || !exists(superior)) {
            return ResultCode.NO_SUCH_OBJECT;
        }
        String newDn = lower(newRdn) + "," + superior;
        if (!newDn.equals(dn) && entries.containsKey(newDn)) {
            return ResultCode.ENTRY_ALREADY_EXISTS;
        }
        Kept entry = entries.get(dn).copy();
        if (deleteOldRdn) {
            entry.removeValue(attribute(dn), value(dn));
        }
        entry.addValue(attribute(newRdn), value(newRdn));
        ResultCode code = entry.schemaCode();
        if (code == ResultCode.SUCCESS) {
            entries.put(dn, entry);
            moveSubtree(dn, newDn);
        }
        return code;
    }

    private void moveSubtree(String from, String to) {
        Map<String, Kept> moved = new HashMap<>();
        entries.entrySet().removeIf(entry -> {
            String dn = entry.getKey();
            boolean below = dn.equals(from) || dn.endsWith("," + from);
            if (below) {
                moved.put(dn.substring(0, dn.length() - from.length()) + to, entry.getValue());
            }
            return below;
        });
        entries.putAll(moved);
    }
}
