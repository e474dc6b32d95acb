package org.alder.partition.schema;

/** Takes the parts of a distinguished name from {@link NameParser}, from the leaf to the top. */
public interface NameSink {
    /** One attribute value assertion; those of one RDN come in the order they are spelt. The array is the sink's. */
    void ava(AttributeType type, String typeText, byte[] value);

    /**
     * The end of an RDN.
     *
     * @param start where its text starts
     * @param end where its text ends, without spaces around it
     * @param normalized its normal form, the sink's
     */
    void rdn(int start, int end, byte[] normalized);
}
