package org.alder.server.resource;

import java.util.HashMap;
import java.util.Map;

/**
 * A budget of which no client has more than a part, however many connections it has, so that one who takes all it can get leaves
 * something for the others. Thread safe.
 */
public final class ClientMemory {
    /** One client has a third at most. */
    private static final int PART = 3;

    private final MemoryBudget budget;
    private final Map<Object, Client> clients = new HashMap<>();

    public ClientMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * The client of this name; it is remembered until it is closed as often as it was opened.
     *
     * @param name compared by equals
     * @param exempt whether all of the budget may be his
     */
    public Client client(Object name, boolean exempt) {
        synchronized (clients) {
            Client client = clients.computeIfAbsent(name, none -> new Client(name, budget.part(exempt ? Long.MAX_VALUE
                    : budget.limitBytes() / PART)));
            client.users++;
            return client;
        }
    }

    /** Clients that are open. */
    int count() {
        synchronized (clients) {
            return clients.size();
        }
    }

    /** One client, over all its connections. Thread safe. */
    public final class Client implements AutoCloseable {
        private final Object name;
        private final MemoryBudget.Part part;
        private int users;

        private Client(Object name, MemoryBudget.Part part) {
            this.name = name;
            this.part = part;
        }

        /** For one holder, who may go on when the client is closed. */
        public MemoryBudget.Share open(Holding what) {
            return part.open(what);
        }

        @Override
        public void close() {
            synchronized (clients) {
                if (--users == 0) {
                    clients.remove(name);
                }
            }
        }
    }
}
