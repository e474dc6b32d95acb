package org.alder.server.control;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;

/**
 * Proxied authorization: the operation is done in another's name. What the value says is that identity, as RFC 4370 writes it.
 * Immutable, thread safe.
 */
public final class ProxiedAuthorization implements ControlHandler<String> {
    /** Version 2 (RFC 4370): the value is the identity. */
    public static final ProxiedAuthorization VERSION_2 =
            new ProxiedAuthorization("2.16.840.1.113730.3.4.18", ProxiedAuthorization::identity);
    /** Version 1 (draft-weltman-ldapv3-proxy-04), which older clients send: the value is a sequence of one DN. */
    public static final ProxiedAuthorization VERSION_1 =
            new ProxiedAuthorization("2.16.840.1.113730.3.4.12", ProxiedAuthorization::name);
    /** Both. */
    public static final List<ProxiedAuthorization> VERSIONS = List.of(VERSION_2, VERSION_1);

    private interface Form {
        String read(byte[] value) throws DirectoryException;
    }

    private final String oid;
    private final Form form;

    private ProxiedAuthorization(String oid, Form form) {
        this.oid = oid;
        this.form = form;
    }

    /** Whether the control is one of these, whatever it says. */
    public static boolean isIn(RequestControl control) {
        return control.oid().equals(VERSION_2.oid) || control.oid().equals(VERSION_1.oid);
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.complementOf(EnumSet.of(OperationKind.BIND));
    }

    @Override
    public boolean mustBeCritical() {
        return true;
    }

    @Override
    public String decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return form.read(value);
    }

    /** No value is an empty one: libraries send nothing for anonymous. */
    private static String identity(byte[] value) throws DirectoryException {
        return value == null ? "" : Dn.text(value);
    }

    private static String name(byte[] value) throws DirectoryException {
        return ControlValue.decode("proxied authorization", value, "SEQUENCE { proxyDN LDAPDN }", reader -> {
            int end = reader.enter(BerWriter.SEQUENCE);
            String name = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            reader.leaveFully(end);
            return "dn:" + name;
        });
    }
}
