package org.alder.server.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.error.ResultCode;

/** What a server says for a request: any number of entries and references, and one result. Not to be changed. */
public sealed interface LdapAnswer {
    /** Values of one attribute description, of which there may be none. */
    record Attribute(String description, List<byte[]> values) {
    }

    /**
     * An entry that was found (RFC 4511 4.5.2).
     *
     * @param attributes in the order in which they came
     * @param controls values of the entry's controls by their OIDs
     */
    record Entry(String dn, List<Attribute> attributes, Map<String, byte[]> controls) implements LdapAnswer {
        /** By their descriptions, of which capitals do not matter. */
        public Map<String, List<byte[]>> byDescription() {
            Map<String, List<byte[]>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            attributes.forEach(each -> all.computeIfAbsent(each.description, none -> new ArrayList<>(1)).addAll(each.values));
            return all;
        }
    }

    /** Other servers have what belongs here. */
    record References(List<String> urls) implements LdapAnswer {
    }

    /**
     * What comes before the result and is neither (RFC 4511 4.13).
     *
     * @param name  an OID; null for none
     * @param value null for none
     */
    record Intermediate(String name, byte[] value) implements LdapAnswer {
    }

    /**
     * How a request ended (RFC 4511 4.1.9).
     *
     * @param value of the answer to an extended operation; null for none
     * @param controls values of the result's controls by their OIDs
     */
    record Result(int code, String message, byte[] value, Map<String, byte[]> controls) implements LdapAnswer {
        public boolean is(ResultCode other) {
            return code == other.number();
        }

        /** Such as noSuchObject; the number, if it has no name here. */
        public String name() {
            return Arrays.stream(ResultCode.values()).filter(this::is).map(ResultCode::text).findFirst().orElse(Integer.toString(code));
        }
    }
}
