package org.alder.partition.ber;

/**
 * Bytes that are not the BER they should be (ITU-T X.690, restricted as RFC 4511 5.1 says). The message names the offset and what
 * was expected.
 */
public sealed class BerException extends Exception permits BerTextException {
    private static final long serialVersionUID = 1L;

    public BerException(String message) {
        super(message, null, false, false);
    }
}
