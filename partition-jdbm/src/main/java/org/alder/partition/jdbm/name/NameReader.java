package org.alder.partition.jdbm.name;

import java.util.Arrays;
import org.alder.partition.entry.StoredName;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/** Reads names from a {@link NameColumn}, and stays where it was, so that the next one is near. One thread at a time. */
public final class NameReader {
    static final int MAX_GROUP_BYTES = NameFormat.GROUP_NAMES * (1 + 4 * Varints.MAX_BYTES + NameFormat.MAX_NAME_BYTES);
    private static final int USUAL_GROUP_BYTES = 512;
    private static final int USUAL_NAME_BYTES = 64;
    /** Of a name: its head, how much it shares, and its length. */
    private static final int SHORTEST_BYTES = 3;

    private final NameColumn column;
    /** Null before the first group is read. */
    private Varints in;
    private byte[] group = new byte[USUAL_GROUP_BYTES];
    private int groupBytes;
    private int number = -1;
    /** Names of the group that follow. */
    private int left;
    private long id;
    private int head;
    private long parent;
    private byte[] rdn = new byte[USUAL_NAME_BYTES];
    private int rdnLength;

    NameReader(NameColumn column) {
        this.column = column;
    }

    /** The entry's name, {@link NameColumn#DELETED}, {@link NameColumn#ELSEWHERE}, or null where the segment knows nothing of the entry. */
    public StoredName name(long wanted) {
        int from = number >= 0 && column.firstId(number) <= wanted ? number : 0;
        int home = column.groupOf(wanted, from);
        if (home < 0) {
            return null;
        }
        if (home != number || wanted < id) {
            load(home);
        }
        while (id < wanted && left > 0) {
            passUsual(wanted);
            if (id < wanted) {
                step();
            }
        }
        return id == wanted ? current() : null;
    }

    /**
     * Goes on over names as most are: the next ID, the same parent, and lengths of a byte. All else is left to {@link #step}: what is
     * malformed, and the last name, behind which the group has to end.
     */
    private void passUsual(long wanted) {
        byte[] from = group;
        byte[] to = rdn;
        int start = in.position();
        int at = start;
        int most = parent < 0 ? 0 : (int) Math.min(left - 1L, wanted - id);
        int passed = 0;
        while (passed < most && at <= groupBytes - SHORTEST_BYTES) {
            int shared = from[at];
            int behind = at + 1;
            if (shared == NameFormat.SHARED) {
                shared = from[behind++];
            }
            int length = from[behind++];
            boolean usual = (from[at] & ~NameFormat.SHARED) == 0 && (shared | length) >= 0 && shared <= rdnLength
                    && shared + length <= to.length && length <= groupBytes - behind;
            if (!usual) {
                break;
            }
            // A few bytes mostly, for which a call would take longer.
            for (int i = 0; i < length; i++) {
                to[shared + i] = from[behind + i];
            }
            rdnLength = shared + length;
            at = behind + length;
            passed++;
        }
        in.skip(at - start);
        left -= passed;
        id += passed;
        head = passed > 0 ? 0 : head;
    }

    /** Goes to the first name of a group. */
    void load(int newNumber) {
        number = -1;
        group = column.read(newNumber, group);
        groupBytes = column.length(newNumber);
        in = new Varints(group, 0, groupBytes);
        left = column.names(newNumber);
        number = newNumber;
        id = column.firstId(newNumber) - 1;
        parent = -1;
        rdnLength = 0;
        step();
        if ((head & NameFormat.DISTANCE) != 0) {
            throw fault("its first name has another ID than it begins with", null);
        }
    }

    boolean hasNext() {
        return left > 0;
    }

    /** Goes to the next name of the group. */
    void step() {
        try {
            decode();
        } catch (StoreException e) {
            throw fault(e.getMessage(), e);
        }
    }

    private void decode() {
        left--;
        int at = in.position();
        in.skip(1);
        head = group[at];
        long distance = (head & NameFormat.DISTANCE) == 0 ? 1 : in.next();
        id += distance;
        if (distance < 1 || id > 0xFFFF_FFFFL) {
            throw fault("the ID " + id + " follows one " + distance + " less", null);
        }
        if ((head & (NameFormat.DELETED | NameFormat.ELSEWHERE)) == 0) {
            decodeName();
        }
        if (left == 0 && in.position() != groupBytes) {
            throw fault("its last name ends at " + in.position() + " of " + groupBytes + " bytes", null);
        }
    }

    private void decodeName() {
        parent = (head & NameFormat.PARENT) == 0 ? parent : in.next();
        int few = head & NameFormat.SHARED;
        long shared = few < NameFormat.SHARED ? few : in.next();
        int length = in.nextLength();
        if (parent < 0 || shared > rdnLength || shared + length > NameFormat.MAX_NAME_BYTES) {
            throw fault("a name of parent " + parent + " with " + shared + " bytes of " + rdnLength + " before it and " + length
                    + " of its own", null);
        }
        int whole = (int) shared + length;
        if (whole > rdn.length) {
            rdn = Arrays.copyOf(rdn, NameFormat.MAX_NAME_BYTES);
        }
        System.arraycopy(group, in.position(), rdn, (int) shared, length);
        in.skip(length);
        rdnLength = whole;
    }

    long id() {
        return id;
    }

    StoredName current() {
        if ((head & NameFormat.DELETED) != 0) {
            return NameColumn.DELETED;
        }
        return (head & NameFormat.ELSEWHERE) != 0 ? NameColumn.ELSEWHERE : StoredName.of(parent, Arrays.copyOf(rdn, rdnLength));
    }

    private StoreException fault(String found, Throwable cause) {
        int faulty = number;
        number = -1;
        return column.corrupt(faulty, found, cause);
    }
}
