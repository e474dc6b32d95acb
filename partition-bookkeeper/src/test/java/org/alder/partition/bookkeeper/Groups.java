package org.alder.partition.bookkeeper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;

/** Groups for tests. */
public final class Groups {
    private Groups() {
    }

    /** So many transactions, committed at a time by which the group is known again. */
    public static LogGroup of(long first, int count, long timeMillis) {
        return of(first, count, timeMillis, 16);
    }

    /** @param bytes of each transaction, about */
    public static LogGroup of(long first, int count, long timeMillis, int bytes) {
        List<List<Operation>> transactions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] identity = new byte[bytes];
            Arrays.fill(identity, (byte) (first + i));
            transactions.add(List.of(new Operation.Delete(first + i, identity)));
        }
        return new LogGroup(first, timeMillis, transactions);
    }

    /** What makes a group that one. */
    public static String name(LogGroup group) {
        return group.firstSequence() + "-" + group.lastSequence() + "@" + group.timeMillis();
    }
}
