package org.alder.server.control;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/** Transaction specification (RFC 5805 2.3): the update is part of the transaction with this identifier. */
public final class TransactionSpecification implements ControlHandler<byte[]> {
    public static final TransactionSpecification CONTROL = new TransactionSpecification();

    private TransactionSpecification() {
    }

    @Override
    public String oid() {
        return "1.3.6.1.1.21.2";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.ADD, OperationKind.DELETE, OperationKind.MODIFY, OperationKind.MODIFY_DN,
                OperationKind.EXTENDED);
    }

    @Override
    public boolean mustBeCritical() {
        return true;
    }

    @Override
    public byte[] decode(byte[] value, RequestLimits limits) throws DirectoryException {
        if (value == null) {
            throw ControlValue.invalid("transaction specification", "no value", "the identifier of a transaction");
        }
        return value;
    }
}
