package org.alder.server.policy;

import java.time.InstantSource;
import org.alder.partition.dn.Dn;

/**
 * What the configuration says of password policies. Immutable.
 *
 * @param policy that of entries for which no other is; {@link PasswordPolicy#NONE}, compared by identity, turns all of them off
 * @param quality what is asked of new passwords beside the lengths that their policy says, where it has them checked
 * @param entry the entry with the policy that stands in for it, or null
 * @param tellsLocks whether who asks for the response control learns that an account is locked
 * @param lastLoginSeconds how old the noted time of the last login may get before it is noted again; 0 = it is not noted
 * @param clock what time it is
 */
public record PolicySettings(PasswordPolicy policy, PasswordQuality quality, Dn entry, boolean tellsLocks, long lastLoginSeconds,
                             InstantSource clock) {
    public static final PolicySettings STANDARD =
            new PolicySettings(PasswordPolicy.STANDARD, PasswordQuality.STANDARD, null, false, 3600, InstantSource.system());

    public PolicySettings withPolicy(PasswordPolicy other) {
        return new PolicySettings(other, quality, entry, tellsLocks, lastLoginSeconds, clock);
    }

    public PolicySettings withQuality(PasswordQuality other) {
        return new PolicySettings(policy, other, entry, tellsLocks, lastLoginSeconds, clock);
    }

    public PolicySettings withEntry(Dn other) {
        return new PolicySettings(policy, quality, other, tellsLocks, lastLoginSeconds, clock);
    }

    public PolicySettings withTellsLocks(boolean other) {
        return new PolicySettings(policy, quality, entry, other, lastLoginSeconds, clock);
    }

    public PolicySettings withLastLoginSeconds(long other) {
        return new PolicySettings(policy, quality, entry, tellsLocks, other, clock);
    }

    public PolicySettings withClock(InstantSource other) {
        return new PolicySettings(policy, quality, entry, tellsLocks, lastLoginSeconds, other);
    }
}
