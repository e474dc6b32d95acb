package org.alder.partition.jdbm.table;

import jdbm.helper.Serializer;

/**
 * Hands the bytes of keys and values to JDBM2 as they are. Stateless, thread safe.
 * JDBM2 serialises the serializer by class name into the header of each B+Tree: this name, the fact that it has no fields and
 * its serialVersionUID are part of the file format. Do not change, move or rename it.
 */
public final class ByteKeySerializer implements Serializer {

    public static final ByteKeySerializer INSTANCE = new ByteKeySerializer();
    private static final long serialVersionUID = 1L;

    @Override
    public byte[] serialize(Object bytes) {
        return (byte[]) bytes;
    }

    @Override
    public Object deserialize(byte[] serialized) {
        return serialized;
    }
}
