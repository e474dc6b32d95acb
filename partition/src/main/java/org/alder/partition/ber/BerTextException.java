package org.alder.partition.ber;

/** A string that is not UTF-8 (RFC 4511 4.1.2). The BER around it is sound, so that what follows can still be read. */
public final class BerTextException extends BerException {
    private static final long serialVersionUID = 1L;

    BerTextException(String message) {
        super(message);
    }
}
