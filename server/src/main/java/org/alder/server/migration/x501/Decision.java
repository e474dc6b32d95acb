package org.alder.server.migration.x501;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One line of a list of which the first that means entry, attribute and user decides; what none means is denied. Immutable.
 *
 * @param sources of what it is made
 */
record Decision<S>(boolean isGrant, Area area, Users.Subject subject, Attributes attributes, Set<S> sources) {
    private static final int MOST = 400;

    private boolean covers(Decision<S> other) {
        return area.covers(other.area) && subject.covers(other.subject) && attributes.covers(other.attributes);
    }

    private boolean meets(Decision<S> other) {
        return area.and(other.area) != null && !attributes.and(other.attributes).isEmpty();
    }

    private Decision<S> as(boolean grant) {
        return new Decision<>(grant, area, subject, attributes, sources);
    }

    /** What both are about, decided by the other one; null if that is nothing. */
    private Decision<S> and(Decision<S> other) {
        if (!meets(other)) {
            return null;
        }
        Set<S> both = new LinkedHashSet<>(sources);
        both.addAll(other.sources);
        return new Decision<>(other.isGrant, area.and(other.area), subject.and(other.subject), attributes.and(other.attributes), both);
    }

    /** Grants what both lists grant. @throws X501Exception if that would be too long */
    static <S> List<Decision<S>> both(List<Decision<S>> one, List<Decision<S>> other) throws X501Exception {
        List<Decision<S>> made = new ArrayList<>();
        for (Decision<S> each : one) {
            if ((!each.isGrant || !takeOver(each, other, made)) && !isDecided(each, made)) {
                made.add(each.as(false));
            }
            if (made.size() > MOST) {
                throw new X501Exception("more than " + MOST + " rules would come of these items");
            }
        }
        return needed(made);
    }

    /** @return whether the other list decides all of it */
    private static <S> boolean takeOver(Decision<S> granted, List<Decision<S>> other, List<Decision<S>> made) {
        for (Decision<S> each : other) {
            Decision<S> common = granted.and(each);
            if (common != null && !isDecided(common, made)) {
                made.add(common);
            }
            if (each.covers(granted)) {
                return true;
            }
        }
        return false;
    }

    /** Without those that decide nothing: former ones have done so, or they deny what none of the later ones would grant. */
    static <S> List<Decision<S>> needed(List<Decision<S>> all) {
        List<Decision<S>> reached = new ArrayList<>();
        for (Decision<S> each : all) {
            if (!isDecided(each, reached)) {
                reached.add(each);
            }
        }
        List<Decision<S>> kept = new ArrayList<>();
        for (int i = 0; i < reached.size(); i++) {
            Decision<S> each = reached.get(i);
            List<Decision<S>> former = reached.subList(0, i);
            if (each.isGrant || reached.subList(i + 1, reached.size()).stream().filter(Decision::isGrant).map(each::and)
                    .anyMatch(common -> common != null && !isDecided(common, former))) {
                kept.add(each);
            }
        }
        return kept;
    }

    private static <S> boolean isDecided(Decision<S> decision, List<Decision<S>> former) {
        return former.stream().anyMatch(each -> each.covers(decision));
    }
}
