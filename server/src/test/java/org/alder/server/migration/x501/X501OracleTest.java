package org.alder.server.migration.x501;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.alder.server.access.AccessPolicy;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleParser;
import org.alder.server.access.EntryRights;
import org.alder.server.access.Requester;
import org.alder.server.access.Right;
import org.alder.server.auth.Identity;
import org.junit.Test;

/**
 * Random ACI items of forms that have a counterpart, decided by the procedure of X.501 18.8 as it stands there, and by the rules that
 * they become: both say the same of each user, entry, attribute and right. One difference is wanted: here a denial of one of the
 * operations that ApacheDS asks for together is enough.
 */
public class X501OracleTest {
    private static final long SEED = Seed.of(X501OracleTest.class);
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 150);
    private static final Dn SUFFIX = TestServer.dn("dc=example,dc=com");
    private static final List<String> ENTRIES = List.of("", "ou=a,", "uid=u1,ou=a,", "uid=u2,ou=a,", "cn=c,uid=u1,ou=a,", "ou=b,", "uid=u3,ou=b,");
    private static final List<String> USERS = List.of("", "uid=u1,ou=a,", "uid=u2,ou=a,", "uid=u3,ou=b,");
    private static final Dn GROUP = TestServer.dn("cn=g,dc=example,dc=com");
    private static final List<String> TYPES = List.of("cn", "title", "mail");
    private static final List<Operation> OPERATIONS = List.of(Operation.values());

    private final Random random = new Random(SEED);

    /** @param place where from, least, most @param types null for all user attributes */
    private record Item(int precedence, boolean isSimple, String users, String base, int least, int most, boolean isEntry, boolean isAll, List<String> types,
            List<String> values, boolean isGrant, Set<Operation> operations) {
        int rank() {
            return users.startsWith("name") || users.startsWith("thisEntry") ? 3 : users.startsWith("userGroup") ? 2 : users.startsWith("subtree") ? 1 : 0;
        }

        boolean isSpecific() {
            return !types.isEmpty() || !values.isEmpty();
        }

        String text() {
            List<String> items = new ArrayList<>();
            if (isEntry) {
                items.add("entry");
            }
            if (isAll) {
                items.add("allUserAttributeTypesAndValues");
            }
            if (!types.isEmpty()) {
                items.add("attributeType { " + String.join(", ", types) + " }");
            }
            if (!values.isEmpty()) {
                items.add("allAttributeValues { " + String.join(", ", values) + " }");
            }
            return "{identificationTag \"x\",precedence " + precedence + ",authenticationLevel " + (isSimple ? "simple" : "none")
                    + ",itemOrUserFirst userFirst:{userClasses{" + users + "},userPermissions{{protectedItems{" + String.join(",", items)
                    + "},grantsAndDenials{" + operations.stream().map(each -> (isGrant ? "grant" : "deny") + each.word).collect(Collectors.joining(","))
                    + "}}}}}";
        }

        String specification() {
            return "{ base \"" + base.replaceFirst(",$", "") + "\", minimum " + least + (most > 9 ? "" : ", maximum " + most) + " }";
        }

        boolean isAbout(Dn entry) {
            Dn from = TestServer.dn(base + SUFFIX.text());
            int below = entry.size() - from.size();
            return entry.isDescendantOrSelf(from) && below >= least && below <= most;
        }

        boolean isRelated(Dn user, Dn entry) {
            boolean isKnown = !user.isRoot();
            return switch (users.replaceFirst(" .*", "")) {
                case "allUsers" -> true;
                case "thisEntry" -> user.equals(entry);
                case "name" -> isKnown && users.contains('"' + user.text() + '"');
                case "userGroup" -> groups(user).contains(GROUP);
                default -> isKnown && user.isDescendantOrSelf(TestServer.dn("ou=a,dc=example,dc=com"));
            };
        }

        boolean speaksTo(Dn user, Dn entry) {
            boolean isEnough = !isSimple || !user.isRoot();
            return isGrant ? isRelated(user, entry) && isEnough : isRelated(user, entry) || !isEnough;
        }

        boolean protects(Tuple.Scope scope, String type) {
            return switch (scope) {
                case ENTRY -> isEntry;
                case TYPE -> isAll || types.contains(type);
                case VALUE -> isAll || values.contains(type);
            };
        }
    }

    private static Set<Dn> groups(Dn user) {
        return user.text().contains("uid=u2") || user.text().contains("uid=u3") ? Set.of(GROUP) : Set.of();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<String> some() {
        return random.nextInt(3) > 0 ? List.of() : TYPES.stream().filter(type -> random.nextBoolean()).toList();
    }

    private Item item() {
        String users = one(List.of("allUsers", "allUsers", "thisEntry", "name { \"uid=u1,ou=a,dc=example,dc=com\" }",
                "userGroup { \"cn=g,dc=example,dc=com\" }", "subtree { { base \"ou=a,dc=example,dc=com\" } }"));
        int[] levels = one(List.of(new int[] {0, 100}, new int[] {0, 100}, new int[] {0, 0}, new int[] {1, 1}, new int[] {1, 100}));
        boolean isGrant = random.nextInt(3) > 0;
        boolean isMuch = random.nextInt(3) > 0;
        Set<Operation> operations = OPERATIONS.stream().filter(each -> isMuch && isGrant || random.nextInt(3) == 0).collect(Collectors.toSet());
        return new Item(random.nextInt(3), random.nextBoolean(), users, one(List.of("", "", "ou=a,", "uid=u1,ou=a,")), levels[0], levels[1],
                random.nextInt(3) > 0, random.nextBoolean(), some(), some(), isGrant, operations);
    }

    /** X.501 18.8.4. */
    private static boolean isGranted(List<Item> all, Dn user, Dn entry, Tuple.Scope scope, String type, Operation... needed) {
        Set<Operation> wanted = Set.of(needed);
        List<Item> left = all.stream().filter(each -> each.isAbout(entry) && each.speaksTo(user, entry) && each.protects(scope, type))
                .filter(each -> each.isGrant() ? each.operations().containsAll(wanted) : wanted.stream().anyMatch(each.operations()::contains)).toList();
        int highest = left.stream().mapToInt(Item::precedence).max().orElse(0);
        List<Item> high = left.stream().filter(each -> each.precedence() == highest).toList();
        int rank = high.stream().mapToInt(Item::rank).max().orElse(0);
        List<Item> specific = high.stream().filter(each -> each.rank() == rank).toList();
        boolean isSpecific = specific.stream().anyMatch(Item::isSpecific);
        List<Item> last = specific.stream().filter(each -> !isSpecific || each.isSpecific()).toList();
        return !last.isEmpty() && last.stream().allMatch(Item::isGrant);
    }

    private static boolean isGranted(List<Item> all, Right right, Dn user, Dn entry, String type) {
        return switch (right) {
            case READ -> ofAll(all, user, entry, type, Operation.READ)
                    && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.BROWSE, Operation.RETURN_DN);
            case SEARCH -> ofAll(all, user, entry, type, Operation.FILTER_MATCH)
                    && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.BROWSE, Operation.RETURN_DN);
            case COMPARE -> ofAll(all, user, entry, type, Operation.COMPARE) && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.READ);
            case WRITE -> ofAll(all, user, entry, type, Operation.ADD) && ofAll(all, user, entry, type, Operation.REMOVE)
                    && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.MODIFY);
            case ADD -> ofAll(all, user, entry, type, Operation.ADD) && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.ADD);
            case DELETE -> isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.REMOVE);
            case RENAME_OUT -> isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.RENAME)
                    && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.EXPORT);
            case RENAME_IN -> isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.RENAME)
                    && isGranted(all, user, entry, Tuple.Scope.ENTRY, type, Operation.IMPORT);
            default -> false;
        };
    }

    private static boolean ofAll(List<Item> all, Dn user, Dn entry, String type, Operation operation) {
        return isGranted(all, user, entry, Tuple.Scope.TYPE, type, operation) && isGranted(all, user, entry, Tuple.Scope.VALUE, type, operation);
    }

    @Test
    public void rulesDecideAsTheItemsDid() throws Exception {
        int granted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Item> items = new ArrayList<>();
            X501Rules<Item> made = new X501Rules<>(TestServer.SCHEMA);
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                Item item = item();
                items.add(item);
                made.takePrescriptive(item, TestServer.dn("cn=s" + i + ",dc=example,dc=com"), item.specification(), item.text());
            }
            List<AccessRule> rules = new ArrayList<>();
            for (X501Rules.Rule<Item> rule : made.rules()) {
                rules.add(AccessRuleParser.parse(TestServer.SCHEMA, rule.text(), ""));
            }
            made.open().values().forEach(each -> each.forEach(what -> assertTrue(what, what.contains(" came to no right: "))));
            AccessPolicy policy = new AccessPolicy(TestServer.SCHEMA, List.of(SUFFIX), rules, X501OracleTest::groups);
            for (String user : USERS) {
                Dn who = user.isEmpty() ? Dn.ROOT : TestServer.dn(user + SUFFIX.text());
                Identity identity = who.isRoot() ? Identity.ANONYMOUS : new Identity(who, false);
                for (String entry : ENTRIES) {
                    Dn dn = TestServer.dn(entry + SUFFIX.text());
                    granted += compare(items, rules, policy.of(new Requester(identity, null)).byName(dn), who, dn);
                }
            }
        }
        assertTrue("some is granted: " + granted, granted > ROUNDS * 10);
    }

    private static int compare(List<Item> items, List<AccessRule> rules, EntryRights rights, Dn who, Dn dn) {
        int granted = 0;
        for (Right right : Right.values()) {
            for (String name : TYPES) {
                AttributeType type = TestServer.SCHEMA.attributeType(name);
                boolean may = right.isOfAttributes() ? rights.may(right, type) : rights.may(right);
                String what = SEED + ": " + right.word() + " of " + name + " of \"" + dn.text() + "\" by \"" + who.text() + "\"; "
                        + items.stream().map(each -> "\n" + each.specification() + " " + each.text()).toList() + "\n" + rules;
                assertEquals(what, isGranted(items, right, who, dn, name), may);
                granted += may ? 1 : 0;
            }
        }
        return granted;
    }
}
