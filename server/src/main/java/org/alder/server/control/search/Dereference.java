package org.alder.server.control.search;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.AttributeNames;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;

/**
 * Dereference (draft-masarati-ldap-deref): each entry found comes with attributes of the entries that it names, so that a client
 * gets a group and its members with one search.
 */
public final class Dereference implements ControlHandler<List<Dereference.Spec>> {
    public static final Dereference CONTROL = new Dereference();

    private static final int MOST_SPECS = 16;
    private static final String EXPECTED =
            "SEQUENCE OF 1 to " + MOST_SPECS + " SEQUENCE { derefAttr, SEQUENCE OF 1 or more attributes }, each derefAttr once";

    /**
     * What a dereference control asks of one attribute.
     *
     * @param attribute holds the DNs of other entries
     * @param attributes those wanted of these entries, at least one
     */
    public record Spec(String attribute, List<String> attributes) {
    }

    private Dereference() {
    }

    @Override
    public String oid() {
        return "1.3.6.1.4.1.4203.666.5.16";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public List<Spec> decode(byte[] value, RequestLimits limits) throws DirectoryException {
        List<Spec> specs = ControlValue.decode("dereference", value, EXPECTED, reader -> specs(reader, limits));
        long distinct = specs.stream().map(Spec::attribute).map(name -> name.toLowerCase(Locale.ROOT)).distinct().count();
        if (specs.isEmpty() || distinct < specs.size()) {
            throw ControlValue.invalid("dereference", specs.size() + " of " + distinct + " attributes", EXPECTED);
        }
        if (specs.stream().anyMatch(spec -> spec.attributes().isEmpty())) {
            throw ControlValue.invalid("dereference", "no attributes to return", EXPECTED);
        }
        return specs;
    }

    private static List<Spec> specs(BerReader reader, RequestLimits limits) throws BerException, DirectoryException {
        List<Spec> specs = new ArrayList<>(1);
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int spec = reader.enter(BerWriter.SEQUENCE);
            String attribute = reader.readString(BerWriter.OCTET_STRING);
            List<String> attributes = AttributeNames.read(reader, limits);
            reader.leaveFully(spec);
            specs.add(new Spec(attribute, attributes));
            if (specs.size() > MOST_SPECS) {
                throw ControlValue.invalid("dereference", "more than " + MOST_SPECS + " attributes", EXPECTED);
            }
        }
        reader.leaveFully(list);
        return specs;
    }
}
