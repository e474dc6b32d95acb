package org.alder.server.protocol;

import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.server.resource.Holding;
import org.alder.server.resource.Holdings;
import org.alder.server.resource.MemoryBudget;

/** What one request has of the server's memory: itself, and what is gathered for its answer. Thread safe. */
final class RequestMemory {
    private final RemoteClient client;
    private final MemoryBudget.Share request;
    /** Null as long as that is nothing; set with this object's lock. */
    private volatile MemoryBudget.Share gathered;
    private boolean isClosed;

    RequestMemory(RemoteClient client) {
        this.client = client;
        this.request = client.openMemory(Holding.REQUEST);
    }

    /** See {@link Exchange#hold()}. */
    void hold(LdapMessage message) throws BerException, DirectoryException {
        if (request.bytes() == 0) {
            request.grow(message.decodedBytes());
        }
    }

    /** What the request itself has, for whoever keeps it from now on. */
    MemoryBudget.Share moved(Holding to) {
        return request.moved(to);
    }

    /** What is gathered for the answer. @param what it counts as, where nothing was gathered yet */
    MemoryBudget.Share gathered(Holding what) {
        MemoryBudget.Share opened = gathered;
        return opened == null ? open(what) : opened;
    }

    private synchronized MemoryBudget.Share open(Holding what) {
        if (gathered == null) {
            MemoryBudget.Share opened = client.openMemory(what);
            if (isClosed) {
                opened.close();
            }
            gathered = opened;
        }
        return gathered;
    }

    void addTo(Holdings holdings) {
        holdings.add(request);
        MemoryBudget.Share opened = gathered;
        if (opened != null) {
            holdings.add(opened);
        }
    }

    /** When the request is answered. */
    synchronized void close() {
        isClosed = true;
        request.close();
        if (gathered != null) {
            gathered.close();
        }
    }
}
