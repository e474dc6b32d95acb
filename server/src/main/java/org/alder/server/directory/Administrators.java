package org.alder.server.directory;

import java.util.function.Supplier;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.StoreException;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is an administrator: the one of the configuration, and whom the group of the configuration names itself. Groups in that group
 * and URLs do not count: whoever may change those would make himself an administrator. It is decided in the newest state for each
 * request, when it begins. Thread safe.
 */
public final class Administrators {
    private static final Logger LOG = LoggerFactory.getLogger(Administrators.class);

    private final Supplier<Administrator> configured;
    private final Groups groups;

    public Administrators(Administrator configured, Groups groups) {
        this(() -> configured, groups);
    }

    /** @param configured asked when a request begins: the same object as long as it says the same; its name never changes */
    public Administrators(Supplier<Administrator> configured, Groups groups) {
        this.configured = configured;
        this.groups = groups;
    }

    /**
     * What an identity is, and in which state that was found out.
     *
     * @param bound who has logged in, as it was then
     * @param now the same as it is in that state
     * @param by what the configuration said then
     */
    public record Standing(Identity bound, Identity now, long state, Administrator by) {
    }

    /** The one of the configuration. */
    public Administrator configured() {
        return configured.get();
    }

    /** Null for none. */
    private Dn group() {
        return configured.get().group();
    }

    /** Whether this is the one of the configuration, whose password is no entry's, also if it is turned off. */
    public boolean isConfigured(Dn dn) {
        return dn.equals(configured().dn());
    }

    /** Whoever has this DN, as it is now. */
    public Identity identity(Dn dn) {
        return isConfigured(dn) ? new Identity(configured().dn(), !configured().isTurnedOff()) : new Identity(dn, isInGroup(dn));
    }

    /**
     * Who has logged in as it is now: an administrator or not.
     *
     * @param last what this returned for the connection before; null at first
     * @return the same object if nothing was committed since that can change it
     */
    public Standing standing(Identity bound, Standing last) {
        Administrator by = configured();
        boolean same = last != null && last.bound == bound && last.by == by;
        if (bound.isAnonymous() || bound.dn().equals(by.dn())) {
            return same ? last : new Standing(bound, bound, 0, by);
        }
        long state = by.group() == null ? 0 : groups.state(by.group());
        if (same && last.state == state) {
            return last;
        }
        boolean administrator = isInGroup(bound.dn());
        return new Standing(bound, administrator == bound.administrator() ? bound : new Identity(bound.dn(), administrator, bound.mustChangePassword()),
                state, by);
    }

    private boolean isInGroup(Dn dn) {
        Dn group = group();
        try {
            return group != null && groups.isNamed(group, dn);
        } catch (StoreException e) {
            LOG.error("nobody is taken for an administrator by the group \"{}\", which cannot be read: {}", group.text(), e.getMessage());
            return false;
        }
    }

    /**
     * Whether a change of this entry, or of all below it, could make somebody an administrator: it is the group, or a member.
     *
     * @param withBelow whether the change is one of all entries below, too
     */
    public boolean isSensitive(Dn dn, boolean withBelow) {
        Dn group = group();
        if (group == null) {
            return false;
        }
        return withBelow ? group.isDescendantOrSelf(dn) || groups.namesBelow(group, dn)
                : group.equals(dn) || groups.isNamed(group, dn);
    }
}
