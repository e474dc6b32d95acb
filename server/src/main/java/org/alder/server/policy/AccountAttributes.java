package org.alder.server.policy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    /** OpenLDAP's, from before pwdLastSuccess. */
    private static final String AUTHENTICATED = "authTimestamp";
    private static final List<String> DISABLED = List.of("nsAccountLock", "ds-pwp-account-disabled");
    /** Before it is what 000001010000Z means, the year 0. */
    private static final Instant YEAR_ONE = Instant.parse("0001-01-01T00:00:00Z");
    private static final byte[] FOREVER = "000001010000Z".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "TRUE".getBytes(StandardCharsets.US_ASCII);

    private final Schema schema;
    private final Map<AttributeType, String> names = new HashMap<>();

    public AccountAttributes(Schema schema) {
        this.schema = schema;
        List<String> all = new ArrayList<>(List.of(CHANGED, LOCKED_SINCE, LOCKED_UNTIL, FAILURES, GRACE_LOGINS, RESET, LAST_SUCCESS,
                START, END, POLICY, AUTHENTICATED));
        all.addAll(DISABLED);
        all.forEach(name -> names.put(schema.attributeType(name), name));
    }

    /** All that {@link #of} looks at, and pwdPolicySubentry. */
    public List<String> names() {
        return List.copyOf(names.values());
    }

    /** What the entry says. A value that is no time, as it may have come before there was a schema for it, is passed over. */
    public AccountState of(EntryRecord record) {
        Map<String, List<byte[]>> values = values(record);
        return values.isEmpty() ? AccountState.EMPTY
                : new AccountState(time(values, CHANGED), time(values, LOCKED_SINCE), time(values, LOCKED_UNTIL),
                        times(values, FAILURES), times(values, GRACE_LOGINS), isTrue(values, RESET),
                        later(time(values, LAST_SUCCESS), time(values, AUTHENTICATED)), time(values, START), time(values, END),
                        DISABLED.stream().anyMatch(name -> isTrue(values, name)));
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

    private static Instant later(Instant one, Instant other) {
        return one == null || other != null && other.isAfter(one) ? other : one;
    }

    /** What an entry that holds the one state has to be changed by to hold the other: operational attributes, replaced. */
    public List<Modification> changes(AccountState from, AccountState to) {
        List<Modification> changes = new ArrayList<>();
        change(changes, CHANGED, one(from.changed()), one(to.changed()));
        change(changes, LOCKED_SINCE, one(from.lockedSince()), one(to.lockedSince()));
        change(changes, LOCKED_UNTIL, one(from.lockedUntil()), one(to.lockedUntil()));
        change(changes, FAILURES, from.failures(), to.failures());
        change(changes, GRACE_LOGINS, from.graceLogins(), to.graceLogins());
        change(changes, LAST_SUCCESS, one(from.lastSuccess()), one(to.lastSuccess()));
        change(changes, START, one(from.start()), one(to.start()));
        change(changes, END, one(from.end()), one(to.end()));
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
