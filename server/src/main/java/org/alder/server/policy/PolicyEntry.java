package org.alder.server.policy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;

/**
 * Reads a {@link PasswordPolicy} from an entry of the class pwdPolicy. What the entry does not say is what the draft and
 * slapo-ppolicy(5) say of an attribute that is not there: mostly, nothing is asked for.
 */
final class PolicyEntry {
    private static final String CLASS = "pwdPolicy";
    /** What OpenLDAP remembers of failures that nothing limits. */
    private static final int RECORDED_FAILURES = 5;

    private final Schema schema;
    private final String dn;
    private final Function<AttributeType, byte[]> values;

    /** @param values the first value of an attribute, or null */
    private PolicyEntry(Schema schema, String dn, Function<AttributeType, byte[]> values) {
        this.schema = schema;
        this.dn = dn;
        this.values = values;
    }

    static boolean isOne(Schema schema, EntryRecord record) {
        return StoredValues.classes(schema, record).stream().anyMatch(each -> isPolicy(schema, each));
    }

    static boolean isPolicy(Schema schema, ObjectClass objectClass) {
        return objectClass != null && objectClass.isSubclassOf(schema.objectClass(CLASS));
    }

    /** What a policy is made of, but for the attribute that it is about. */
    static Set<AttributeType> parts(Schema schema) {
        return schema.objectClass(CLASS).may();
    }

    /** @throws DirectoryException constraintViolation, naming DN and attribute, if it is no policy or one that cannot be */
    static PasswordPolicy read(Schema schema, String dn, EntryRecord record) throws DirectoryException {
        if (!isOne(schema, record)) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "the entry \"" + dn + "\" is no password policy: it has not"
                    + " the object class " + CLASS);
        }
        return read(schema, dn, type -> first(StoredValues.of(schema, record, type)));
    }

    /** The policy of an entry that has these values. @throws DirectoryException as {@link #read(Schema, String, EntryRecord)} */
    static PasswordPolicy read(Schema schema, String dn, Function<AttributeType, byte[]> values) throws DirectoryException {
        return new PolicyEntry(schema, dn, values).read();
    }

    static byte[] first(List<byte[]> values) {
        return values.isEmpty() ? null : values.get(0);
    }

    private PasswordPolicy read() throws DirectoryException {
        PasswordPolicy.Change change = new PasswordPolicy.Change(number("pwdMinAge"), small("pwdInHistory"),
                (int) number("pwdCheckQuality", 2), small("pwdMinLength"), small("pwdMaxLength"), flag("pwdMustChange", false),
                flag("pwdAllowUserChange", true), flag("pwdSafeModify", false));
        PasswordPolicy.Aging aging = new PasswordPolicy.Aging(number("pwdMaxAge"), number("pwdExpireWarning"),
                small("pwdGraceAuthNLimit"), number("pwdGraceExpiry"), number("pwdMaxIdle"));
        long lockoutSeconds = number("pwdLockoutDuration");
        int failures = small("pwdMaxFailure");
        int recorded = small("pwdMaxRecordedFailure");
        PasswordPolicy.Lockout lockout = new PasswordPolicy.Lockout(flag("pwdLockout", false), failures,
                number("pwdFailureCountInterval"), lockoutSeconds, lockoutSeconds, number("pwdMinDelay"), number("pwdMaxDelay"),
                Math.max(failures, recorded > 0 ? recorded : RECORDED_FAILURES));
        requireOrder("pwdMinLength", change.minimumLength(), "pwdMaxLength", change.maximumLength());
        requireOrder("pwdMinAge", change.minimumAgeSeconds(), "pwdMaxAge", aging.maximumAgeSeconds());
        return new PasswordPolicy(dn, change, aging, lockout);
    }

    /** @param most 0 means that there is no limit */
    private void requireOrder(String lower, long least, String upper, long most) throws DirectoryException {
        if (most > 0 && least > most) {
            throw fault(upper, most + ", less than " + lower + ", which is " + least);
        }
    }

    private int small(String name) throws DirectoryException {
        return (int) number(name);
    }

    private long number(String name) throws DirectoryException {
        return number(name, Integer.MAX_VALUE);
    }

    private long number(String name, long most) throws DirectoryException {
        String text = text(name);
        if (text == null) {
            return 0;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // As any other number that cannot be.
        }
        throw fault(name, text + ", expected a whole number from 0 to " + most);
    }

    private boolean flag(String name, boolean byDefault) {
        String text = text(name);
        return text == null ? byDefault : text.equalsIgnoreCase("TRUE");
    }

    private String text(String name) {
        byte[] value = values.apply(schema.attributeType(name));
        return value == null ? null : new String(value, StandardCharsets.ISO_8859_1).trim();
    }

    private DirectoryException fault(String name, String found) {
        return new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                "the password policy \"" + dn + "\", " + name + ": " + found);
    }
}
