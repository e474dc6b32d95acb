package org.alder.server.access;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.AttributeType;
import org.alder.server.wire.AddressRange;

/**
 * To whom a rule speaks. Who asks is known before any entry is looked at, so a subject is reduced to what is left to be asked of
 * entries: mostly to yes or no. Immutable, thread safe; equal if it says the same.
 */
sealed interface Subject {
    Subject ANYONE = new Known(true);
    Subject NOBODY = new Known(false);

    /** What is left of it when it is known who asks: made of {@link Known}, {@link Self} and {@link NamedBy} alone. */
    Subject of(Requester who, Set<Dn> groups);

    /**
     * Whether it is meant of an entry; of a subject that {@link #of} has made.
     *
     * @return null if that depends on the content of an entry of which the name alone is known
     */
    Boolean holds(Asker who, EntryName name);

    /** What it is made of with and, or and not. */
    default Stream<Subject> leaves() {
        return Stream.of(this);
    }

    /** Yes or no. */
    record Known(boolean value) implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            return this;
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            return value;
        }
    }

    private static Subject known(boolean value) {
        return value ? ANYONE : NOBODY;
    }

    /** What is known when it is known who asks. */
    sealed interface OfRequester extends Subject {
        boolean means(Requester who, Set<Dn> groups);

        @Override
        default Subject of(Requester who, Set<Dn> groups) {
            return known(means(who, groups));
        }

        @Override
        default Boolean holds(Asker who, EntryName name) {
            throw new IllegalStateException(this + " has to be asked before entries are");
        }
    }

    /** @param anonymous whether those are meant who have not authenticated, or those who have */
    record Authenticated(boolean anonymous) implements OfRequester {
        @Override
        public boolean means(Requester who, Set<Dn> groups) {
            return who.identity().isAnonymous() == anonymous;
        }
    }

    /** Whose DN is there. */
    record Named(Place place) implements OfRequester {
        @Override
        public boolean means(Requester who, Set<Dn> groups) {
            return !who.identity().isAnonymous() && place.contains(who.identity().dn());
        }
    }

    /** The members of a group, directly or over others. */
    record Group(Dn dn) implements OfRequester {
        @Override
        public boolean means(Requester who, Set<Dn> groups) {
            return groups.contains(dn);
        }
    }

    /** What is asked of the connection. */
    sealed interface OfConnection extends OfRequester {
        boolean means(Requester.Connection connection);

        @Override
        default boolean means(Requester who, Set<Dn> groups) {
            return who.connection() != null && means(who.connection());
        }
    }

    /** @param ranges the addresses that are meant  @param unix whether unix-domain sockets are */
    record Address(List<AddressRange> ranges, boolean unix) implements OfConnection {
        @Override
        public boolean means(Requester.Connection connection) {
            InetAddress address = connection.address();
            return address == null ? unix : ranges.stream().anyMatch(range -> range.contains(address));
        }
    }

    /** @param bits the least strength */
    record Strength(int bits) implements OfConnection {
        @Override
        public boolean means(Requester.Connection connection) {
            return connection.strength() >= bits;
        }
    }

    /** Over TLS. */
    record Tls() implements OfConnection {
        @Override
        public boolean means(Requester.Connection connection) {
            return connection.isTls();
        }
    }

    /** @param names in capitals */
    record Mechanism(Set<String> names) implements OfConnection {
        @Override
        public boolean means(Requester.Connection connection) {
            return names.contains(connection.mechanism());
        }
    }

    /** Whose entry it is. */
    record Self() implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            return who.identity().isAnonymous() ? NOBODY : this;
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            return name.is(who);
        }
    }

    /** Whose DN is a value of the entry's attribute. */
    record NamedBy(AttributeType attribute) implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            return who.identity().isAnonymous() ? NOBODY : this;
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            return name.entry() == null ? null : (Boolean) who.isNamedBy(attribute, name.entry());
        }
    }

    /** All of them. */
    record And(List<Subject> parts) implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            return group(parts, who, groups, ANYONE, NOBODY);
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            return any(parts, false, who, name);
        }

        @Override
        public Stream<Subject> leaves() {
            return parts.stream().flatMap(Subject::leaves);
        }
    }

    /** Any of them. */
    record Or(List<Subject> parts) implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            return group(parts, who, groups, NOBODY, ANYONE);
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            return any(parts, true, who, name);
        }

        @Override
        public Stream<Subject> leaves() {
            return parts.stream().flatMap(Subject::leaves);
        }
    }

    /** All others. */
    record Not(Subject part) implements Subject {
        @Override
        public Subject of(Requester who, Set<Dn> groups) {
            Subject left = part.of(who, groups);
            return left instanceof Known known ? known(!known.value) : new Not(left);
        }

        @Override
        public Boolean holds(Asker who, EntryName name) {
            Boolean held = part.holds(who, name);
            return held == null ? null : Boolean.valueOf(!held);
        }

        @Override
        public Stream<Subject> leaves() {
            return part.leaves();
        }
    }

    /** @param neutral what changes nothing  @param deciding what decides alone */
    private static Subject group(List<Subject> parts, Requester who, Set<Dn> groups, Subject neutral, Subject deciding) {
        List<Subject> left = new ArrayList<>(parts.size());
        for (Subject part : parts) {
            Subject one = part.of(who, groups);
            if (one.equals(deciding)) {
                return deciding;
            } else if (!one.equals(neutral)) {
                left.add(one);
            }
        }
        if (left.isEmpty()) {
            return neutral;
        }
        return left.size() == 1 ? left.get(0) : neutral == ANYONE ? new And(left) : new Or(left);
    }

    /** Whether any part is of the value that decides, and so all are. */
    private static Boolean any(List<Subject> parts, boolean deciding, Asker who, EntryName name) {
        boolean open = false;
        for (Subject part : parts) {
            Boolean one = part.holds(who, name);
            if (one == null) {
                open = true;
            } else if (one == deciding) {
                return deciding;
            }
        }
        return open ? null : Boolean.valueOf(!deciding);
    }
}
