package org.alder.perf.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** What a worker asks for next, from a seed and what its subtree holds. One thread. */
final class RandomRequests {
    private static final int MOST_ENTRIES = 150;
    private static final int MOST_SHARED = 400;
    static final int NUMBERS = 1000;
    private static final int MOST_DEPTH = 3;
    private static final List<String> WORDS = List.of("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibex", "antelope",
            "foxglove", "beehive");
    private static final List<String> TEXTS = List.of("cn", "sn", "description", "employeetype", "st", "displayname");

    private final SplittableRandom random;
    private final int worker;
    private int next;

    RandomRequests(int worker, SplittableRandom random) {
        this.worker = worker;
        this.random = random;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    /** An update, most of which succeed. */
    Request update(Tree tree) {
        int kind = random.nextInt(tree.entries().size() > MOST_ENTRIES ? 130 : 100);
        if (kind < 30) {
            return add(tree);
        } else if (kind < 55) {
            return modify(tree);
        } else if (kind < 68) {
            return group(tree);
        } else if (kind < 72) {
            return shared(tree);
        } else if (kind < 90) {
            return rename(tree);
        } else if (kind < 92 && worker == 0) {
            return SchemaRequests.define(oneIn(10) == tree.isTypeDefined());
        }
        return new Request.Delete(below(tree));
    }

    /** Whether a delete takes the whole subtree. */
    boolean isTreeDelete(Tree tree) {
        return tree.entries().size() > MOST_ENTRIES || oneIn(4);
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    String any(Tree tree) {
        List<String> dns = List.copyOf(tree.entries().keySet());
        return dns.get(random.nextInt(dns.size()));
    }

    /** Not the root, which stays; now and then one that is not there. */
    private String below(Tree tree) {
        String dn = oneIn(25) ? "uid=none," + any(tree) : any(tree);
        return dn.equals(tree.root()) ? "ou=none," + dn : dn;
    }

    private Request add(Tree tree) {
        String superior = oneIn(30) ? "ou=none," + tree.root() : oneIn(2) ? tree.root() : any(tree);
        int kind = random.nextInt(10);
        if (kind == 0) {
            return StressData.unit("ou=" + word() + "," + superior);
        } else if (kind == 1) {
            String name = word();
            Map<String, SortedSet<String>> group = StressData.attributes("objectclass", "top", "objectclass", "groupofnames",
                    "cn", name);
            group.put(Tree.MEMBER, new TreeSet<>(members(tree)));
            return new Request.Add("cn=" + name + "," + superior, group);
        }
        String uid = oneIn(20) && tree.entries().size() > 1 ? StressData.rdnValue(any(tree)) : "u" + next++ + "x" + random.nextInt(NUMBERS);
        Map<String, SortedSet<String>> person = StressData.attributes("objectclass", "top", "objectclass", "person",
                "objectclass", "organizationalperson", "objectclass", "inetorgperson", "objectclass", "posixaccount",
                "objectclass", "extensibleobject", "uid", uid, "cn", word(), "sn", word(), "description", word() + word(),
                "employeetype", word(), "uidnumber", Integer.toString(random.nextInt(NUMBERS)), "gidnumber", "1",
                "homedirectory", "/home");
        return new Request.Add("uid=" + uid + "," + superior, person);
    }

    private List<String> members(Tree tree) {
        TreeSet<String> members = new TreeSet<>();
        for (int i = random.nextInt(40); i >= 0; i--) {
            members.add(any(tree));
        }
        return List.copyOf(members);
    }

    private Request modify(Tree tree) {
        String dn = below(tree);
        boolean isPerson = dn.startsWith("uid=");
        List<Request.Change> changes = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String attribute = isPerson && oneIn(3) ? oneIn(2) ? "employeetype" : "displayname" : "description";
            boolean usesNew = isPerson && worker == 0 && oneIn(8);
            boolean replaces = attribute.equals("displayname") && !usesNew;
            Request.Kind kind = replaces ? Request.Kind.REPLACE : Request.Kind.values()[random.nextInt(3)];
            List<String> values = kind == Request.Kind.DELETE && oneIn(2) ? List.of() : List.of(word() + (oneIn(3) ? "" : word()));
            changes.add(new Request.Change(kind, usesNew ? SchemaRequests.ATTRIBUTE : attribute, values));
        }
        return new Request.Modify(dn, changes);
    }

    private Request group(Tree tree) {
        List<String> groups = tree.entries().entrySet().stream().filter(entry -> entry.getValue().containsKey(Tree.MEMBER))
                .map(Map.Entry::getKey).toList();
        if (groups.isEmpty()) {
            return add(tree);
        }
        String dn = groups.get(random.nextInt(groups.size()));
        SortedSet<String> there = tree.entries().get(dn).get(Tree.MEMBER);
        int kind = random.nextInt(10);
        List<String> members = new ArrayList<>(members(tree));
        if (kind < 5) {
            members.removeIf(there::contains);
        } else if (kind < 8) {
            members.removeIf(member -> !there.contains(member));
        }
        Request.Kind change = kind < 5 ? Request.Kind.ADD : kind < 8 ? Request.Kind.DELETE : Request.Kind.REPLACE;
        return members.isEmpty() ? modify(tree) : new Request.Modify(dn, List.of(new Request.Change(change, Tree.MEMBER, members)));
    }

    private Request shared(Tree tree) {
        TreeSet<String> members = new TreeSet<>();
        for (int i = random.nextInt(60); i >= 0; i--) {
            members.add(StressData.member(worker, random.nextInt(MOST_SHARED)));
        }
        boolean adds = random.nextInt(MOST_SHARED) > tree.sharedMembers().size();
        members.removeIf(member -> tree.sharedMembers().contains(member) == adds);
        return members.isEmpty() ? modify(tree) : new Request.Modify(StressData.SHARED_GROUP,
                List.of(new Request.Change(adds ? Request.Kind.ADD : Request.Kind.DELETE, Tree.MEMBER, List.copyOf(members))));
    }

    /** Of an entry or of a subtree, in its place or to another. */
    private Request rename(Tree tree) {
        String dn = below(tree);
        String type = dn.substring(0, dn.indexOf('='));
        String name = oneIn(4) ? StressData.rdnValue(dn) : type.equals("uid") ? "u" + next++ + "y" + random.nextInt(NUMBERS)
                : word() + random.nextInt(20);
        return new Request.Rename(dn, type + "=" + name, !oneIn(4), oneIn(3) ? null : any(tree));
    }

    Request.Search search(Tree tree) {
        Request.Scope scope = Request.Scope.values()[random.nextInt(4)];
        String base = oneIn(2) && scope != Request.Scope.BASE ? tree.root() : any(tree);
        return new Request.Search(base, scope, filter(tree, 0), List.of());
    }

    /** One assertion, or now and then several ones. */
    SearchFilter filter(Tree tree, int depth) {
        int kind = random.nextInt(depth < MOST_DEPTH ? 16 : 12);
        return switch (kind) {
            case 0 -> new SearchFilter.Present(oneIn(5) ? Assertions.UNKNOWN : TEXTS.get(random.nextInt(TEXTS.size())));
            case 1 -> SearchFilter.equal("objectclass", oneIn(2) ? "person" : oneIn(2) ? "groupofnames" : "organizationalunit");
            case 2, 3 -> new SearchFilter.Ordering(Assertions.NUMBER, oneIn(2), Integer.toString(random.nextInt(NUMBERS)));
            case 4, 5 -> substring();
            case 6 -> SearchFilter.equal(Tree.MEMBER, any(tree));
            case 7 -> SearchFilter.equal(Assertions.MEMBER_OF, any(tree));
            case 8 -> SearchFilter.equal("uid", oneIn(2) ? StressData.rdnValue(any(tree)) : "none");
            case 9, 10, 11 -> SearchFilter.equal(oneIn(20) ? Assertions.UNKNOWN : TEXTS.get(random.nextInt(TEXTS.size())),
                    oneIn(3) ? word() + word() : oneIn(2) ? word() : word().toUpperCase(Locale.ROOT));
            case 12 -> new SearchFilter.Not(filter(tree, depth + 1));
            case 13 -> SearchFilter.or(filter(tree, depth + 1), filter(tree, depth + 1));
            default -> SearchFilter.and(filter(tree, depth + 1), filter(tree, depth + 1));
        };
    }

    SearchFilter item(Tree tree) {
        return filter(tree, MOST_DEPTH);
    }

    private SearchFilter substring() {
        String word = word();
        int kind = random.nextInt(4);
        return new SearchFilter.Substring(TEXTS.get(random.nextInt(TEXTS.size())), kind == 0 || kind == 3 ? word : "",
                kind == 1 ? word.substring(1) : "", kind > 1 ? word().substring(1) : "");
    }
}
