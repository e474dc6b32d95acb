package org.alder.server.control;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/**
 * Pre-read and post-read (RFC 4527): the entry as it was before an update and as it became. The value is the attributes wanted.
 */
public final class ReadEntry implements ControlHandler<List<String>> {
    public static final ReadEntry BEFORE = new ReadEntry("1.3.6.1.1.13.1",
            EnumSet.of(OperationKind.MODIFY, OperationKind.DELETE, OperationKind.MODIFY_DN));
    public static final ReadEntry AFTER = new ReadEntry("1.3.6.1.1.13.2",
            EnumSet.of(OperationKind.ADD, OperationKind.MODIFY, OperationKind.MODIFY_DN));

    private final String oid;
    private final Set<OperationKind> operations;

    private ReadEntry(String oid, Set<OperationKind> operations) {
        this.oid = oid;
        this.operations = operations;
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public Set<OperationKind> operations() {
        return operations;
    }

    @Override
    public List<String> decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode("read entry", value, "SEQUENCE OF attribute selector", reader -> AttributeNames.read(reader, limits));
    }
}
