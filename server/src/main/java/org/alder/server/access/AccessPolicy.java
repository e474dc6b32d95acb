package org.alder.server.access;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what with which entry, by rules that are read from top to bottom (docs/access-rules.md). Rules that do not speak to
 * whoever asks are left out once for each identity; what is left is shared by all of whom the same is left. The administrator may
 * do everything. Thread safe.
 */
public final class AccessPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(AccessPolicy.class);
    /** A 64th of the heap at most, at about a KiB each. */
    private static final long MOST_IDENTITIES = Math.min(10_000, Runtime.getRuntime().maxMemory() / 64 / 1024);
    private static final int MOST_KINDS = 1000;

    /** All groups of a member, nested and dynamic ones included, as they are now: equal sets as long as nothing changed. */
    @FunctionalInterface
    public interface Memberships {
        /** Of a server without groups. */
        Memberships NONE = member -> Set.of();

        /** @throws DirectoryException adminLimitExceeded if they cannot be told: then nothing is allowed */
        Set<Dn> of(Dn member) throws DirectoryException;
    }

    private final Schema schema;
    private final Supplier<List<Dn>> suffixes;
    private final Memberships memberships;
    private final IdentityAccess administrator;
    private final Supplier<List<AccessRule>> rules;
    private volatile Compiled compiled;

    /** @param suffixes of all partitions  @param memberships asked only if rules speak to groups */
    public AccessPolicy(Schema schema, List<Dn> suffixes, List<AccessRule> rules, Memberships memberships) {
        this(schema, () -> suffixes, () -> rules, memberships);
    }

    /**
     * @param suffixes asked before each operation: the same object as long as there are the same partitions
     * @param rules    the same, as long as no rule has changed
     */
    public AccessPolicy(Schema schema, Supplier<List<Dn>> suffixes, Supplier<List<AccessRule>> rules, Memberships memberships) {
        this.schema = schema;
        this.suffixes = suffixes;
        this.memberships = memberships;
        this.administrator = new IdentityAccess(schema, Identity.ANONYMOUS, null);
        this.rules = rules;
        this.compiled = new Compiled(suffixes.get(), rules.get());
    }

    /** An identity, with what the rules want to know of its connection. */
    private record Key(Identity identity, BitSet connection) {
    }

    private record Known(Set<Dn> groups, IdentityAccess access) {
    }

    /** Everything that follows from a list of rules about some partitions under one version of the schema. */
    private final class Compiled {
        private final List<Dn> suffixes;
        private final List<AccessRule> rules;
        private final long schemaVersion = schema.version();
        private final List<Subject.OfConnection> ofConnection;
        private final boolean ofGroups;
        private final ConcurrentMap<Key, Known> identities = new ConcurrentHashMap<>();
        private final ConcurrentMap<List<Subject>, IdentityRules> kinds = new ConcurrentHashMap<>();

        Compiled(List<Dn> suffixes, List<AccessRule> rules) {
            this.suffixes = suffixes;
            this.rules = rules;
            this.ofConnection = leaves(rules, Subject.OfConnection.class).distinct().toList();
            this.ofGroups = leaves(rules, Subject.Group.class).findAny().isPresent();
        }

        private static <T extends Subject> Stream<T> leaves(List<AccessRule> rules, Class<T> kind) {
            return rules.stream().flatMap(rule -> rule.subject().leaves()).filter(kind::isInstance).map(kind::cast);
        }

        IdentityAccess of(Requester who) {
            Key key = new Key(who.identity(), connection(who.connection()));
            Set<Dn> groups = !ofGroups || who.identity().isAnonymous() ? Set.of() : groups(who.identity().dn());
            Known known = identities.get(key);
            if (known == null || known.groups != groups && !Objects.equals(groups, known.groups)) {
                known = new Known(groups, access(who, groups, known));
                if (identities.size() >= MOST_IDENTITIES) {
                    identities.clear();
                }
                identities.put(key, known);
            }
            return known.access;
        }

        private BitSet connection(Requester.Connection connection) {
            BitSet held = new BitSet(0);
            for (int i = 0; connection != null && i < ofConnection.size(); i++) {
                if (ofConnection.get(i).means(connection)) {
                    held.set(i);
                }
            }
            return held;
        }

        /** Keeps the object if nothing follows from the change of a group. @param before or null */
        private IdentityAccess access(Requester who, Set<Dn> groups, Known before) {
            IdentityRules mine = groups == null ? new IdentityRules(schema, List.of(), suffixes) : left(who, groups);
            return before != null && before.access.hasRules(mine) ? before.access : new IdentityAccess(schema, who.identity(), mine);
        }

        private IdentityRules left(Requester who, Set<Dn> groups) {
            List<AccessRule> left = new ArrayList<>();
            List<Subject> subjects = new ArrayList<>(rules.size());
            for (AccessRule rule : rules) {
                Subject subject = rule.subject().of(who, groups);
                subjects.add(subject);
                if (!subject.equals(Subject.NOBODY)) {
                    left.add(rule.to(subject));
                }
            }
            return kind(subjects, left);
        }

        private IdentityRules kind(List<Subject> subjects, List<AccessRule> left) {
            if (kinds.size() >= MOST_KINDS) {
                kinds.clear();
            }
            return kinds.computeIfAbsent(subjects, key -> new IdentityRules(schema, left, suffixes));
        }
    }

    /** Null if they cannot be told. */
    private Set<Dn> groups(Dn member) {
        try {
            return memberships.of(member);
        } catch (DirectoryException e) {
            LOG.warn("\"{}\" is refused everything: {}", member.text(), e.getMessage());
            return null;
        }
    }

    /** Those of all partitions: the same object as long as there are the same. */
    public List<Dn> suffixes() {
        return suffixes.get();
    }

    /** Whether the entry of this name is one that these rules are about: one of a partition. */
    public boolean governs(Dn dn) {
        return suffixes.get().stream().anyMatch(dn::isDescendantOrSelf);
    }

    /** What whoever asks may do now. */
    public IdentityAccess of(Requester who) {
        return of(who.identity(), who.connection());
    }

    /** What this identity may do now. @param connection as {@link Requester} has it */
    public IdentityAccess of(Identity identity, Requester.Connection connection) {
        if (identity.administrator()) {
            return administrator;
        }
        Compiled now = compiled;
        List<Dn> served = suffixes.get();
        List<AccessRule> newest = rules.get();
        if (now.suffixes != served || now.rules != newest || now.schemaVersion != schema.version()) {
            now = new Compiled(served, newest);
            compiled = now;
        }
        return now.of(new Requester(identity, connection));
    }
}
