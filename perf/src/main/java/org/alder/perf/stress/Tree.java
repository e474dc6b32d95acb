package org.alder.perf.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/**
 * The plain model of a subtree: says what result an update has, what it leaves, and what a search finds. Names, attributes and
 * values are ASCII in lower case without spaces, so that text is all there is to them. What the worker of this subtree has put
 * into entries that all workers share counts too. Shares no code with the server. One thread.
 */
final class Tree {
    static final String PASSWORD = "userpassword";
    static final String MEMBER = "member";
    /** What the server puts in the place of the last member, by its setting. */
    static final String PLACEHOLDER = "cn=nobody";
    private static final Set<String> ATTRIBUTES = Set.of("objectclass", "ou", "uid", "cn", "sn", "uidnumber", "gidnumber",
            "homedirectory", "description", "employeetype", "st", "displayname", MEMBER, PASSWORD, SchemaRequests.ATTRIBUTE);
    private static final int SUCCESS = 0;
    private static final int NO_SUCH_ATTRIBUTE = 16;
    private static final int UNDEFINED_TYPE = 17;
    private static final int VALUE_EXISTS = 20;
    private static final int NO_SUCH_OBJECT = 32;
    private static final int UNWILLING = 53;
    private static final int CLASS_VIOLATION = 65;
    private static final int NOT_ON_NON_LEAF = 66;
    private static final int ENTRY_EXISTS = 68;

    private final String root;
    private final TreeMap<String, Map<String, SortedSet<String>>> entries;
    private final TreeSet<String> sharedMembers;
    private boolean isTypeDefined;
    private long fingerprint;

    /** An empty one. @param root the DN of its uppermost entry, which is always there once it is added */
    Tree(String root) {
        this(root, new TreeMap<>(), new TreeSet<>(), false, 0);
    }

    private Tree(String root, TreeMap<String, Map<String, SortedSet<String>>> entries, TreeSet<String> sharedMembers,
            boolean isTypeDefined, long fingerprint) {
        this.root = root;
        this.entries = entries;
        this.sharedMembers = sharedMembers;
        this.isTypeDefined = isTypeDefined;
        this.fingerprint = fingerprint;
    }

    Tree copy() {
        return new Tree(root, new TreeMap<>(entries), new TreeSet<>(sharedMembers), isTypeDefined, fingerprint);
    }

    String root() {
        return root;
    }

    /** By DN. Neither the map nor what is in it is changed. */
    Map<String, Map<String, SortedSet<String>>> entries() {
        return entries;
    }

    SortedSet<String> sharedMembers() {
        return sharedMembers;
    }

    /** Whether the worker's attribute type is in the schema. */
    boolean isTypeDefined() {
        return isTypeDefined;
    }

    void setTypeDefined(boolean is) {
        isTypeDefined = is;
    }

    /** Equal for equal entries and members, whatever way led there. The schema is not in it, nor which passwords there are. */
    long fingerprint() {
        return fingerprint;
    }

    static String parent(String dn) {
        return dn.substring(dn.indexOf(',') + 1);
    }

    /** What an entry is for a comparison. */
    static long hash(String dn, Map<String, SortedSet<String>> attributes) {
        long hash = hash(0, dn);
        for (Map.Entry<String, SortedSet<String>> attribute : attributes.entrySet()) {
            hash = hash(hash, attribute.getKey());
            for (String value : attribute.getKey().equals(PASSWORD) ? Set.<String>of() : attribute.getValue()) {
                hash = hash(hash, value);
            }
        }
        return hash;
    }

    private static long hash(long seed, String text) {
        long hash = seed ^ 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L;
    }

    /** The attributes that there are here, of all those that a server has of an entry. */
    static Map<String, SortedSet<String>> known(Map<String, SortedSet<String>> attributes) {
        Map<String, SortedSet<String>> known = new TreeMap<>(attributes);
        known.keySet().retainAll(ATTRIBUTES);
        return known;
    }

    void put(String dn, Map<String, SortedSet<String>> attributes) {
        Map<String, SortedSet<String>> before = entries.put(dn, attributes);
        fingerprint += hash(dn, attributes) - (before == null ? 0 : hash(dn, before));
    }

    private Map<String, SortedSet<String>> take(String dn) {
        Map<String, SortedSet<String>> before = entries.remove(dn);
        fingerprint -= hash(dn, before);
        return before;
    }

    void addShared(String member) {
        if (sharedMembers.add(member)) {
            fingerprint += hash(1, member);
        }
    }

    private void removeShared(String member) {
        if (sharedMembers.remove(member)) {
            fingerprint -= hash(1, member);
        }
    }

    /** Makes an update, or nothing of it where the result is not success. @return the result code it has to have */
    int apply(Request request, boolean isTreeDelete) {
        if (request instanceof Request.Add add) {
            return add(add);
        } else if (request instanceof Request.Delete delete) {
            return delete(delete.dn(), isTreeDelete);
        } else if (request instanceof Request.Rename rename) {
            return rename(rename);
        }
        Request.Modify modify = (Request.Modify) request;
        return modify.dn().equals(StressData.SHARED_GROUP) ? modifyShared(modify)
                : modify.dn().equals(SchemaRequests.DN) ? modifySchema(modify) : modify(modify);
    }

    private int add(Request.Add add) {
        if (!add.dn().equals(root) && !entries.containsKey(parent(add.dn()))) {
            return NO_SUCH_OBJECT;
        } else if (entries.containsKey(add.dn())) {
            return ENTRY_EXISTS;
        }
        put(add.dn(), add.attributes());
        return SUCCESS;
    }

    private List<String> subtree(String dn) {
        return entries.keySet().stream().filter(other -> other.equals(dn) || other.endsWith("," + dn)).toList();
    }

    private int delete(String dn, boolean isTreeDelete) {
        if (!entries.containsKey(dn)) {
            return NO_SUCH_OBJECT;
        }
        List<String> gone = subtree(dn);
        if (gone.size() > 1 && !isTreeDelete) {
            return NOT_ON_NON_LEAF;
        }
        gone.forEach(this::take);
        changeMembers(member -> gone.contains(member) ? null : member);
        return SUCCESS;
    }

    private int rename(Request.Rename rename) {
        String from = rename.dn();
        String superior = rename.newSuperior() == null ? parent(from) : rename.newSuperior();
        if (superior.equals(from) || superior.endsWith("," + from)) {
            return UNWILLING;
        } else if (!entries.containsKey(from) || !entries.containsKey(superior)) {
            return NO_SUCH_OBJECT;
        }
        String to = rename.newRdn() + "," + superior;
        if (!to.equals(from) && entries.containsKey(to)) {
            return ENTRY_EXISTS;
        }
        for (String dn : subtree(from)) {
            Map<String, SortedSet<String>> attributes = take(dn);
            put(moved(dn, from, to), dn.equals(from) ? renamed(attributes, rename) : attributes);
        }
        changeMembers(member -> moved(member, from, to));
        return SUCCESS;
    }

    private static String moved(String dn, String from, String to) {
        return dn.equals(from) || dn.endsWith("," + from) ? dn.substring(0, dn.length() - from.length()) + to : dn;
    }

    private static Map<String, SortedSet<String>> renamed(Map<String, SortedSet<String>> before, Request.Rename rename) {
        Map<String, SortedSet<String>> attributes = new TreeMap<>(before);
        String[] oldRdn = rename.dn().substring(0, rename.dn().indexOf(',')).split("=");
        String[] newRdn = rename.newRdn().split("=");
        TreeSet<String> values = new TreeSet<>(attributes.get(oldRdn[0]));
        if (rename.deletesOldRdn()) {
            values.remove(oldRdn[1]);
        }
        values.add(newRdn[1]);
        attributes.put(newRdn[0], values);
        return attributes;
    }

    private interface MemberChange {
        /** @return null if there is no such entry any more */
        String now(String member);
    }

    private void changeMembers(MemberChange change) {
        for (Map.Entry<String, Map<String, SortedSet<String>>> entry : List.copyOf(entries.entrySet())) {
            SortedSet<String> before = entry.getValue().get(MEMBER);
            if (before == null) {
                continue;
            }
            TreeSet<String> now = new TreeSet<>();
            before.stream().map(change::now).filter(member -> member != null).forEach(now::add);
            if (now.isEmpty()) {
                now.add(PLACEHOLDER);
            }
            if (!now.equals(before)) {
                Map<String, SortedSet<String>> attributes = new TreeMap<>(entry.getValue());
                attributes.put(MEMBER, now);
                put(entry.getKey(), attributes);
            }
        }
    }

    private int modify(Request.Modify modify) {
        if (!isTypeDefined && modify.changes().stream().anyMatch(change -> change.attribute().equals(SchemaRequests.ATTRIBUTE))) {
            return UNDEFINED_TYPE;
        } else if (!entries.containsKey(modify.dn())) {
            return NO_SUCH_OBJECT;
        }
        Map<String, SortedSet<String>> attributes = new TreeMap<>(entries.get(modify.dn()));
        boolean hadMembers = attributes.containsKey(MEMBER);
        for (Request.Change change : modify.changes()) {
            int code = change(attributes, change);
            if (code != SUCCESS) {
                return code;
            }
        }
        if (hadMembers && !attributes.containsKey(MEMBER)) {
            return CLASS_VIOLATION;
        }
        put(modify.dn(), attributes);
        return SUCCESS;
    }

    private static int change(Map<String, SortedSet<String>> attributes, Request.Change change) {
        TreeSet<String> values = new TreeSet<>(attributes.getOrDefault(change.attribute(), new TreeSet<>()));
        switch (change.kind()) {
            case ADD -> {
                for (String value : change.values()) {
                    if (!values.add(value)) {
                        return VALUE_EXISTS;
                    }
                }
            }
            case DELETE -> {
                if (values.isEmpty() || !values.containsAll(change.values())) {
                    return NO_SUCH_ATTRIBUTE;
                }
                values.removeAll(change.values().isEmpty() ? Set.copyOf(values) : Set.copyOf(change.values()));
            }
            default -> {
                values.clear();
                values.addAll(change.values());
            }
        }
        if (values.isEmpty()) {
            attributes.remove(change.attribute());
        } else {
            attributes.put(change.attribute(), values);
        }
        return SUCCESS;
    }

    /** Every worker changes members of its own in it, each present one only deleted and each absent one only added. */
    private int modifyShared(Request.Modify modify) {
        for (Request.Change change : modify.changes()) {
            boolean adds = change.kind() == Request.Kind.ADD;
            for (String member : change.values()) {
                if (sharedMembers.contains(member) == adds) {
                    return adds ? VALUE_EXISTS : NO_SUCH_ATTRIBUTE;
                }
            }
            change.values().forEach(adds ? this::addShared : this::removeShared);
        }
        return SUCCESS;
    }

    private int modifySchema(Request.Modify modify) {
        boolean adds = modify.changes().get(0).kind() == Request.Kind.ADD;
        if (isTypeDefined == adds) {
            return adds ? VALUE_EXISTS : NO_SUCH_ATTRIBUTE;
        } else if (!adds && entries.values().stream().anyMatch(entry -> entry.containsKey(SchemaRequests.ATTRIBUTE))) {
            return UNWILLING;
        }
        isTypeDefined = adds;
        return SUCCESS;
    }

    /** The DNs of what a search finds. */
    List<String> search(Request.Search search) {
        List<String> found = new ArrayList<>();
        for (String dn : entries.keySet()) {
            if (isInScope(dn, search) && Boolean.TRUE.equals(truth(dn, search.filter()))) {
                found.add(dn);
            }
        }
        return found;
    }

    private static boolean isInScope(String dn, Request.Search search) {
        boolean below = dn.endsWith("," + search.base());
        return switch (search.scope()) {
            case BASE -> dn.equals(search.base());
            case ONE_LEVEL -> below && parent(dn).equals(search.base());
            case SUBTREE -> below || dn.equals(search.base());
            case CHILDREN -> below;
        };
    }

    /** As RFC 4511 4.5.1.7 says. @return null for Undefined */
    Boolean truth(String dn, SearchFilter filter) {
        if (filter instanceof SearchFilter.Compound compound) {
            List<Boolean> parts = new ArrayList<>();
            compound.parts().forEach(part -> parts.add(truth(dn, part)));
            boolean decides = compound.isOr();
            return parts.contains(decides) ? Boolean.valueOf(decides) : parts.contains(null) ? null : Boolean.valueOf(!decides);
        } else if (filter instanceof SearchFilter.Not not) {
            Boolean part = truth(dn, not.part());
            return part == null ? null : !part;
        }
        return Assertions.test(this, dn, filter);
    }
}
