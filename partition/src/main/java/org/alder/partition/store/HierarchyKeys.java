package org.alder.partition.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The keys of index 0, the hierarchy. Part of the on-disk format (docs/format/hierarchy.md): do not change.
 *
 * <ul>
 * <li>{@code 'r' parent(8, big endian) normalised RDN} -> the one entry with that RDN under that parent
 * <li>{@code 'c' parent(8, big endian)} -> the parent's children
 * <li>{@code 'n'} -> all entries that have children, maintained by the engine
 * <li>{@code "sa"} -> all aliases (RFC 4512 2.6)
 * <li>{@code "sr"} -> all referral objects (RFC 3296)
 * <li>{@code "ss"} -> all subentries (RFC 3672)
 * <li>{@code "sx"} -> all entries that have access rules of their own
 * </ul>
 *
 * <p>The suffix entry's parent is 0.
 */
public final class HierarchyKeys {
    /** The number of the hierarchy among the indexes. */
    public static final int INDEX = 0;
    /** The suffix entry's parent. */
    public static final long NO_PARENT = 0;

    /** Normal forms of RDNs are at most this long, so that every engine can keep them as keys. Updates refuse longer ones. */
    public static final int MAX_RDN_BYTES = 4096;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte RDN = 'r';
    private static final byte CHILDREN = 'c';
    private static final byte SPECIAL = 's';

    private HierarchyKeys() {
    }

    /** The key whose set is all entries that have children. A new array each time. */
    public static byte[] nonLeaf() {
        return new byte[] {'n'};
    }

    /** The key whose set is all aliases. A new array each time. */
    public static byte[] aliases() {
        return new byte[] {SPECIAL, 'a'};
    }

    /** The key whose set is all referral objects. A new array each time. */
    public static byte[] referrals() {
        return new byte[] {SPECIAL, 'r'};
    }

    /** The key whose set is all subentries. A new array each time. */
    public static byte[] subentries() {
        return new byte[] {SPECIAL, 's'};
    }

    /** The key whose set is all entries that have access rules of their own. A new array each time. */
    public static byte[] accessRules() {
        return new byte[] {SPECIAL, 'x'};
    }

    public static byte[] rdn(long parentId, byte[] normalizedRdn) {
        byte[] key = new byte[9 + normalizedRdn.length];
        key[0] = RDN;
        LONG.set(key, 1, parentId);
        System.arraycopy(normalizedRdn, 0, key, 9, normalizedRdn.length);
        return key;
    }

    public static byte[] children(long parentId) {
        byte[] key = new byte[9];
        key[0] = CHILDREN;
        LONG.set(key, 1, parentId);
        return key;
    }

    /** Puts another parent into the key that starts at the offset, if it is one that has a parent. */
    public static void setParent(byte[] keys, int offset, long parentId) {
        if (keys[offset] == RDN || keys[offset] == CHILDREN) {
            LONG.set(keys, offset + 1, parentId);
        }
    }

    public static boolean isChildren(byte[] key) {
        return key.length == 9 && key[0] == CHILDREN;
    }

    public static boolean isRdn(byte[] key) {
        return key.length > 9 && key[0] == RDN;
    }

    /** The parent in a children or RDN key. */
    public static long parentOf(byte[] key) {
        return (long) LONG.get(key, 1);
    }
}
