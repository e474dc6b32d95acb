package org.alder.server.resource;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who holds how much of the heap through his connections at one moment, and for what. Added up only when somebody asks: whoever holds
 * something counts it where it is. One thread.
 */
public final class Holders {
    private static final int MOST_SHOWN = 10;
    private static final String ANONYMOUS = "anonymous";

    private final Holdings all = new Holdings();
    private final Map<String, Long> identities = new HashMap<>();
    private final Map<String, Long> connections = new HashMap<>();

    public static Holders of(OpenSessions sessions) {
        Holders holders = new Holders();
        for (OpenSessions.Session session : sessions.all()) {
            OpenSessions.Facts facts = session.facts();
            long bytes = facts.held().allBytes();
            if (bytes > 0) {
                holders.all.add(facts.held());
                holders.identities.merge(facts.identity().isEmpty() ? ANONYMOUS : facts.identity(), bytes, Long::sum);
                holders.connections.put(Long.toString(session.id()), bytes);
            }
        }
        return holders;
    }

    /** What all hold together. */
    public Holdings all() {
        return all;
    }

    /** The authorization identities that hold most, with how many bytes, the largest first; {@value #ANONYMOUS} is one of them. */
    public Map<String, Long> largestIdentities() {
        return largest(identities);
    }

    /** The same of connections, by their IDs. */
    public Map<String, Long> largestConnections() {
        return largest(connections);
    }

    private static Map<String, Long> largest(Map<String, Long> bytes) {
        Comparator<Map.Entry<String, Long>> most = Map.Entry.comparingByValue(Comparator.reverseOrder());
        List<Map.Entry<String, Long>> first = bytes.entrySet().stream().sorted(most.thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_SHOWN).toList();
        Map<String, Long> shown = new LinkedHashMap<>();
        first.forEach(each -> shown.put(each.getKey(), each.getValue()));
        return shown;
    }
}
