package org.alder.server.access;

import org.alder.partition.dn.Dn;

/** What the children of one entry share: most places have all of them, or none. Thread safe. */
final class Siblings {
    private static final byte ALL = 1;
    private static final byte NONE = 2;
    private static final byte SOME = 3;

    private final String tail;
    private final Dn parent;
    /** By the number of the rule whose place it is; 0 if nobody has asked. Whoever writes one twice writes the same. */
    private final byte[] places;

    /** @param tail how their names end  @param rules how many there are */
    Siblings(String tail, Dn parent, int rules) {
        this.tail = tail;
        this.parent = parent;
        this.places = new byte[rules];
    }

    String tail() {
        return tail;
    }

    /** Whether they are in a place; null if that depends on which of them. */
    Boolean areIn(Place place, int rule) {
        byte known = places[rule];
        if (known == 0) {
            known = find(place);
            places[rule] = known;
        }
        return known == SOME ? null : Boolean.valueOf(known == ALL);
    }

    private byte find(Place place) {
        int above = parent.size() - place.dn().size();
        if (above < 0) {
            boolean one = above == -1 && place.dn().parent().equals(parent);
            return one && switch (place.scope()) {
                case BASE, SUBTREE -> true;
                case ONE_LEVEL, CHILDREN -> false;
            } ? SOME : NONE;
        }
        boolean below = switch (place.scope()) {
            case BASE -> false;
            case ONE_LEVEL -> above == 0;
            case SUBTREE, CHILDREN -> true;
        };
        return below && parent.isDescendantOrSelf(place.dn()) ? ALL : NONE;
    }

    /** Whether he may be one of them. */
    boolean areOf(Asker who) {
        return parent.equals(who.parent());
    }
}
