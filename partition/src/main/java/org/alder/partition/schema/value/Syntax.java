package org.alder.partition.schema.value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.text.Oids;

/** An attribute syntax (RFC 4512 4.1.5) and the test for its values. Immutable, thread safe. */
public record Syntax(String oid, String description, boolean isHumanReadable, Predicate<byte[]> check) {
    static final String SUBSTRING_ASSERTION = "1.3.6.1.4.1.1466.115.121.1.58";
    static final String UUID = "1.3.6.1.1.16.1";
    /** OpenLDAP's. */
    static final String CSN = "1.3.6.1.4.1.4203.666.11.2.1";
    private static final String CSN_FORM = "00000000000000.000000Z#xxxxxx#xxx#xxxxxx";

    /** Certificate, Certificate List, Certificate Pair, Supported Algorithm. */
    private static final Set<String> TRANSFERRED_AS_BINARY = Set.of("1.3.6.1.4.1.1466.115.121.1.8",
            "1.3.6.1.4.1.1466.115.121.1.9", "1.3.6.1.4.1.1466.115.121.1.10", "1.3.6.1.4.1.1466.115.121.1.49");
    /** DN, Name And Optional UID. */
    private static final Set<String> NAMES = Set.of("1.3.6.1.4.1.1466.115.121.1.12", "1.3.6.1.4.1.1466.115.121.1.34");
    private static final String PRINTABLE_MARKS = " '()+,-.=/:?";

    /** RFC 4523 2: values have no other form than the one of {@code ;binary}. */
    public boolean isTransferredAsBinary() {
        return TRANSFERRED_AS_BINARY.contains(oid);
    }

    public boolean holdsNames() {
        return NAMES.contains(oid);
    }

    /** RFC 4512 4.1.5; binary syntaxes carry the extension that directory browsers look for. */
    public String definition() {
        return "( " + oid + " DESC '" + description + '\'' + (isHumanReadable ? "" : " X-NOT-HUMAN-READABLE 'TRUE'") + " )";
    }

    /** RFC 4517 3.3.6: one or more characters. */
    static boolean isDirectoryString(byte[] value) {
        return value.length > 0 && isUtf8(value);
    }

    static boolean isUtf8(byte[] value) {
        if (isIa5(value)) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    static boolean isIa5(byte[] value) {
        for (byte b : value) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** RFC 4517 3.3.29. */
    static boolean isPrintable(byte[] value) {
        for (byte b : value) {
            if (!Oids.isLetter(b) && !Oids.isDigit(b) && PRINTABLE_MARKS.indexOf(b) < 0) {
                return false;
            }
        }
        return value.length > 0;
    }

    /** RFC 4517 3.3.4, the two letters; which ones are in use changes too often to be checked. */
    static boolean isCountry(byte[] value) {
        return value.length == 2 && isPrintable(value);
    }

    /** RFC 4517 3.3.23. */
    static boolean isNumericString(byte[] value) {
        for (byte b : value) {
            if (!Oids.isDigit(b) && b != ' ') {
                return false;
            }
        }
        return value.length > 0;
    }

    static boolean isInteger(byte[] value) {
        return IntegerForm.isInteger(value, false);
    }

    /** RFC 4517 3.3.3. */
    static boolean isBoolean(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        return text.equals("TRUE") || text.equals("FALSE");
    }

    static boolean isOid(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        return Oids.isDescriptor(text) || Oids.isNumeric(text);
    }

    static boolean isGeneralizedTime(byte[] value) {
        try {
            GeneralizedTimeForm.of(value);
            return true;
        } catch (DirectoryException e) {
            return false;
        }
    }

    /** RFC 4517 3.3.2. */
    static boolean isBitString(byte[] value) {
        int end = value.length - 2;
        if (end < 1 || value[0] != '\'' || value[end] != '\'' || value[end + 1] != 'B') {
            return false;
        }
        for (int i = 1; i < end; i++) {
            if (value[i] != '0' && value[i] != '1') {
                return false;
            }
        }
        return true;
    }

    /** RFC 2307 2.4: a host, a user and a domain, each of which may be empty or a hyphen. */
    static boolean isNetgroupTriple(byte[] value) {
        int last = value.length - 1;
        if (last < 1 || value[0] != '(' || value[last] != ')' || !isIa5(value)) {
            return false;
        }
        int commas = 0;
        for (int i = 1; i < last; i++) {
            if (value[i] == '(' || value[i] == ')') {
                return false;
            }
            commas += value[i] == ',' ? 1 : 0;
        }
        return commas == 2;
    }

    /** RFC 2307 2.4: {@code key=server:path}. */
    static boolean isBootParameter(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        int equals = text.indexOf('=');
        return equals > 0 && text.indexOf(':', equals) > equals + 1 && isIa5(value);
    }

    /** RFC 4530 2.1. */
    static boolean isUuid(byte[] value) {
        for (int i = 0; i < value.length; i++) {
            boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
            if (hyphen ? value[i] != '-' : Character.digit(value[i], 16) < 0) {
                return false;
            }
        }
        return value.length == 36;
    }

    /** draft-zeilenga-ldap-csn, in the only length that is still written. */
    static boolean isCsn(byte[] value) {
        if (value.length != CSN_FORM.length()) {
            return false;
        }
        for (int i = 0; i < value.length; i++) {
            char form = CSN_FORM.charAt(i);
            boolean fits = form == '0' ? Character.digit(value[i], 10) >= 0
                    : form == 'x' ? Character.digit(value[i], 16) >= 0 : value[i] == form;
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** RFC 4517 3.3.17; the start of any JPEG stream, since cameras write more than JFIF. */
    static boolean isJpeg(byte[] value) {
        return value.length > 2 && value[0] == (byte) 0xFF && value[1] == (byte) 0xD8;
    }
}
