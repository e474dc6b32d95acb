package org.alder.server.control;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;

/**
 * A state that a read has to show at least. Immutable. As a control of Alder's own, without a value, an update asks for the state in which it is
 * made; with that as its value, a search, compare or bind waits for it, on any member of the cluster. The value is
 *
 * <pre>
 * SEQUENCE OF SEQUENCE { partition OCTET STRING, sequence OCTET STRING }
 * </pre>
 *
 * @param sequences the last transaction of it, by the suffix of the partition as it is stored; of a shard its number stands behind that
 */
public record ReadPoint(Map<String, Long> sequences) {
    /** Any state does. */
    public static final ReadPoint ANY = new ReadPoint(Map.of());
    public static final ControlHandler<ReadPoint> CONTROL = new Control();
    private static final int MOST_PARTITIONS = 1000;

    public ReadPoint {
        sequences = Map.copyOf(sequences);
    }

    /** A state that is neither before this one nor before the other one. */
    public ReadPoint and(ReadPoint other) {
        Map<String, Long> all = new TreeMap<>(sequences);
        other.sequences.forEach((suffix, sequence) -> all.merge(suffix, sequence, Math::max));
        return new ReadPoint(all);
    }

    /** What an update is answered with. */
    public ResponseControl response() {
        BerWriter out = new BerWriter(64);
        write(out);
        return new ResponseControl(CONTROL.oid(), out.toByteArray());
    }

    public void write(BerWriter out) {
        int all = out.begin(BerWriter.SEQUENCE);
        new TreeMap<>(sequences).forEach((suffix, sequence) -> {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, suffix);
            out.string(BerWriter.OCTET_STRING, Long.toString(sequence));
            out.end(one);
        });
        out.end(all);
    }

    public static ReadPoint read(BerReader in) throws BerException {
        Map<String, Long> sequences = new TreeMap<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            String suffix = in.readString(BerWriter.OCTET_STRING);
            String sequence = in.readString(BerWriter.OCTET_STRING);
            if (!sequence.matches("[0-9]{1,18}") || sequences.size() == MOST_PARTITIONS) {
                throw new BerException("no sequence number, or more than " + MOST_PARTITIONS + " partitions");
            }
            sequences.put(suffix, Long.parseLong(sequence));
            in.leaveFully(one);
        }
        in.leave(all);
        return new ReadPoint(sequences);
    }

    private static final class Control implements ControlHandler<ReadPoint> {
        @Override
        public String oid() {
            return "2.25.278641466010882381359084238697260762259.5.2";
        }

        @Override
        public Set<OperationKind> operations() {
            return EnumSet.of(OperationKind.ADD, OperationKind.DELETE, OperationKind.MODIFY, OperationKind.MODIFY_DN, OperationKind.SEARCH,
                    OperationKind.COMPARE, OperationKind.BIND);
        }

        @Override
        public ReadPoint decode(byte[] value, RequestLimits limits) throws DirectoryException {
            return value == null || value.length == 0 ? ANY : ControlValue.decode("read point", value, "what an update was answered with", ReadPoint::read);
        }
    }
}
