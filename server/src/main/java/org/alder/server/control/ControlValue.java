package org.alder.server.control;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** Reads the BER inside of a control. */
public final class ControlValue {
    private ControlValue() {
    }

    public interface Form<T> {
        T read(BerReader reader) throws BerException, DirectoryException;
    }

    /**
     * @param value null if the client sent none
     * @param expected says what the value has to be, in words or ASN.1
     * @throws DirectoryException protocolError if it is something else
     */
    public static <T> T decode(String control, byte[] value, String expected, Form<T> form) throws DirectoryException {
        if (value == null) {
            throw invalid(control, "no value", expected);
        }
        try {
            return form.read(new BerReader(value));
        } catch (BerException e) {
            throw invalid(control, e.getMessage(), expected);
        }
    }

    /**
     * Of a control that says all by being there. An empty value is taken for none, as some libraries always send one.
     *
     * @throws DirectoryException protocolError if there is another one
     */
    public static Boolean none(String control, byte[] value) throws DirectoryException {
        if (value != null && value.length > 0) {
            throw invalid(control, value.length + " bytes", "no value");
        }
        return Boolean.TRUE;
    }

    public static DirectoryException invalid(String control, String found, String expected) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR,
                control + " control: " + found + ", expected " + expected);
    }
}
