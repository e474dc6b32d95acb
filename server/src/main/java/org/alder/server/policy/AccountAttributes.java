package org.alder.server.policy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.GeneralizedTimeForm;

/** The attributes in which entries hold the states of their accounts. Thread safe. */
public final class AccountAttributes {
    public static final String CHANGED = "pwdChangedTime";
    public static final String LOCKED_SINCE = "pwdAccountLockedTime";
    public static final String LOCKED_UNTIL = "pwdAccountTmpLockoutEnd";
    public static final String FAILURES = "pwdFailureTime";
    public static final String GRACE_LOGINS = "pwdGraceUseTime";
    public static final String RESET = "pwdReset";
    public static final String LAST_SUCCESS = "pwdLastSuccess";
    public static final String START = "pwdStartTime";
    public static final String END = "pwdEndTime";
    static final String POLICY = "pwdPolicySubentry";
    /** Beside pwdLastSuccess: OpenLDAP's from before it, 389's and OpenDJ's. */
    private static final List<String> LAST_LOGINS = List.of("authTimestamp", "lastLoginTime", "ds-pwp-last-login-time");
    /** When an account ends to be valid: here and in OpenLDAP, in OpenDJ, and in FreeIPA, where it ends binds too. */
    public static final List<String> ENDS = List.of(END, "ds-pwp-account-expiration-time", "krbPrincipalExpiration");
    private static final List<String> DISABLED = List.of("nsAccountLock", "ds-pwp-account-disabled");
    /** 389's: a member of the managed role of this name is out of use. */
    private static final String ROLE = "nsRoleDN";
    private static final String DISABLED_ROLE = "cn=nsManagedDisabledRole";
    private static final String UNLOCKED = "accountUnlockTime";
    /** 389 sets it to 0 when a lock goes, and leaves {@link #UNLOCKED} as it is. */
    private static final String WRONG_PASSWORDS = "passwordRetryCount";
    private static final String EXPIRES = "passwordExpirationTime";
    private static final String USED_GRACE = "passwordGraceUserTime";
    /** Before it is what 000001010000Z means, the year 0. */
    private static final Instant YEAR_ONE = Instant.parse("0001-01-01T00:00:00Z");
    private static final byte[] FOREVER = "000001010000Z".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "TRUE".getBytes(StandardCharsets.US_ASCII);

    private final Schema schema;
    private final Map<AttributeType, String> names = new HashMap<>();
    private final Rdn disabledRole;

    public AccountAttributes(Schema schema) {
        this.schema = schema;
        List<String> all = new ArrayList<>(List.of(CHANGED, LOCKED_SINCE, LOCKED_UNTIL, FAILURES, GRACE_LOGINS, RESET, LAST_SUCCESS,
                START, POLICY, ROLE, UNLOCKED, WRONG_PASSWORDS, EXPIRES, USED_GRACE));
        List.of(ENDS, LAST_LOGINS, DISABLED).forEach(all::addAll);
        all.forEach(name -> names.put(schema.attributeType(name), name));
        this.disabledRole = Dn.stored(schema, DISABLED_ROLE).rdn();
    }

    /** All that {@link #of} looks at, and pwdPolicySubentry. */
    public List<String> names() {
        return List.copyOf(names.values());
    }

    /** Whether the modification is of what {@link #names} has. */
    boolean isOne(Modification modification) {
        AttributeDescription description = schema.descriptionOrNull(modification.description());
        return description != null && names.containsKey(description.type());
    }

    /** What the entry says. A value that is no time, as it may have come before there was a schema for it, is passed over. */
    public AccountState of(EntryRecord record) {
        Map<String, List<byte[]>> values = values(record);
        if (values.isEmpty()) {
            return AccountState.EMPTY;
        }
        Instant lastLogin = LAST_LOGINS.stream().map(name -> time(values, name)).reduce(time(values, LAST_SUCCESS), AccountAttributes::later);
        Instant end = ENDS.stream().map(name -> time(values, name)).filter(Objects::nonNull).min(Comparator.naturalOrder()).orElse(null);
        boolean isDisabled = DISABLED.stream().anyMatch(name -> isTrue(values, name)) || !disabledRoles(values).isEmpty();
        boolean mustChange = isTrue(values, RESET) || Instant.EPOCH.equals(time(values, EXPIRES));
        return new AccountState(time(values, CHANGED), time(values, LOCKED_SINCE), time(values, LOCKED_UNTIL), times(values, FAILURES),
                times(values, GRACE_LOGINS), mustChange, lastLogin, time(values, START), end, isDisabled, inherited(values));
    }

    private static AccountState.Inherited inherited(Map<String, List<byte[]>> values) {
        Instant unlocked = number(values, WRONG_PASSWORDS) == 0 ? null : time(values, UNLOCKED);
        int graceLogins = Math.max(0, number(values, USED_GRACE));
        Instant expires = time(values, EXPIRES);
        return unlocked == null && expires == null && graceLogins == 0 ? AccountState.Inherited.NOTHING
                : new AccountState.Inherited(Instant.EPOCH.equals(unlocked) ? Instant.MAX : unlocked, expires, graceLogins);
    }

    /** The roles of 389 that keep the entry out, as it names them. */
    private List<byte[]> disabledRoles(Map<String, List<byte[]>> values) {
        return values.getOrDefault(ROLE, List.of()).stream().filter(this::isDisabledRole).toList();
    }

    private boolean isDisabledRole(byte[] value) {
        try {
            Dn role = Dn.parse(schema, value);
            return !role.isRoot() && role.rdn().equals(disabledRole);
        } catch (DirectoryException e) {
            return false;
        }
    }

    /** What an administrator changes to end whatever keeps an account out but the time for which it is valid. */
    public List<Modification> unlocking(EntryRecord record) {
        Map<String, List<byte[]>> values = values(record);
        List<Modification> changes = new ArrayList<>();
        // Also where there is none: the server then forgets the wrong passwords that it has counted.
        changes.add(new Modification(Modification.Kind.REPLACE, LOCKED_SINCE, List.of()));
        DISABLED.stream().filter(values::containsKey)
                .forEach(name -> changes.add(new Modification(Modification.Kind.REPLACE, name, List.of())));
        if (!disabledRoles(values).isEmpty()) {
            changes.add(new Modification(Modification.Kind.DELETE, ROLE, disabledRoles(values)));
        }
        return changes;
    }

    /** The DN of the policy that the entry names, or null. */
    byte[] policy(EntryRecord record) {
        List<byte[]> values = values(record).get(POLICY);
        return values == null ? null : values.get(0);
    }

    private Map<String, List<byte[]>> values(EntryRecord record) {
        Map<String, List<byte[]>> found = Map.of();
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription known = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            String name = known == null ? null : names.get(known.type());
            if (name != null && known.options().isEmpty()) {
                found = found.isEmpty() ? new HashMap<>() : found;
                found.put(name, cursor.values());
            }
        }
        return found;
    }

    private static boolean isTrue(Map<String, List<byte[]>> values, String name) {
        return values.getOrDefault(name, List.of()).stream()
                .anyMatch(value -> new String(value, StandardCharsets.ISO_8859_1).trim().equalsIgnoreCase("true"));
    }

    private static Instant time(Map<String, List<byte[]>> values, String name) {
        List<Instant> times = times(values, name);
        return times.isEmpty() ? null : times.get(times.size() - 1);
    }

    private static List<Instant> times(Map<String, List<byte[]>> values, String name) {
        List<Instant> times = new ArrayList<>();
        for (byte[] value : values.getOrDefault(name, List.of())) {
            Instant time = time(value);
            if (time != null) {
                times.add(time);
            }
        }
        Collections.sort(times);
        return times;
    }

    private static Instant time(byte[] value) {
        try {
            Instant time = GeneralizedTimeForm.instant(value);
            return time.isBefore(YEAR_ONE) ? AccountState.FOREVER : time;
        } catch (DirectoryException e) {
            return null;
        }
    }

    /** @return -1 if there is none */
    private static int number(Map<String, List<byte[]>> values, String name) {
        try {
            return values.containsKey(name) ? Integer.parseInt(new String(values.get(name).get(0), StandardCharsets.ISO_8859_1).trim()) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one == null || other != null && other.isAfter(one) ? other : one;
    }

    /**
     * What an entry that holds the one state has to be changed by to hold the other: operational attributes, replaced. For how long an
     * account is valid, and whether it is disabled, is the same in both.
     */
    public List<Modification> changes(AccountState from, AccountState to) {
        List<Modification> changes = new ArrayList<>();
        change(changes, CHANGED, one(from.changed()), one(to.changed()));
        change(changes, LOCKED_SINCE, one(from.lockedSince()), one(to.lockedSince()));
        change(changes, LOCKED_UNTIL, one(from.lockedUntil()), one(to.lockedUntil()));
        change(changes, FAILURES, from.failures(), to.failures());
        change(changes, GRACE_LOGINS, from.graceLogins(), to.graceLogins());
        change(changes, LAST_SUCCESS, one(from.lastSuccess()), one(to.lastSuccess()));
        change(changes, UNLOCKED, one(from.inherited().unlocked()), one(to.inherited().unlocked()));
        change(changes, EXPIRES, one(from.inherited().expires()), one(to.inherited().expires()));
        if (from.inherited().graceLogins() != to.inherited().graceLogins()) {
            changes.add(new Modification(Modification.Kind.REPLACE, USED_GRACE, List.of()));
        }
        if (from.reset() != to.reset()) {
            changes.add(new Modification(Modification.Kind.REPLACE, RESET, to.reset() ? List.of(TRUE) : List.of()));
        }
        return changes;
    }

    private static void change(List<Modification> changes, String name, List<Instant> from, List<Instant> to) {
        if (!Objects.equals(from, to)) {
            List<byte[]> values = to.stream().map(time -> time.equals(AccountState.FOREVER) ? FOREVER
                    : GeneralizedTimeForm.value(time)).toList();
            changes.add(new Modification(Modification.Kind.REPLACE, name, values));
        }
    }

    private static List<Instant> one(Instant time) {
        return time == null ? List.of() : List.of(time);
    }

    /** The time as an entry holds it: to the microsecond. */
    static Instant storable(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
