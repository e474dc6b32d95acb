package org.alder.server.wire;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Quota;

/**
 * How many connections are open, in all and of each address or user; and which of them have not bound: of those the oldest gives way
 * when there are too many, so that nobody who does not bind keeps others out. Thread safe.
 */
final class OpenConnections {
    private final Quota quota;
    private final IntSupplier mostBeforeBind;
    /** The oldest first. Guarded by itself. */
    private final Set<MessageReceiver> beforeBind = new LinkedHashSet<>();
    private final LongAdder gaveWay;
    private final LongAdder accepted;
    private final LongAdder refused;

    /** @param limits asked whenever there is one more */
    OpenConnections(Supplier<ConnectionLimits> limits, Counters counters) {
        IntSupplier most = () -> limits.get().connections();
        this.quota = new Quota(most, () -> limits.get().connectionsPerAddress(), "connections", "maxConnections",
                "maxConnectionsPerAddress");
        this.mostBeforeBind = () -> limits.get().connectionsBeforeBind();
        this.gaveWay = counters.counter("connections", "alderConnectionsGaveWay");
        counters.gauge("connections", "alderConnectionsBeforeBind", this::countBeforeBind);
        this.accepted = counters.counter("connections", "alderConnectionsAccepted");
        this.refused = counters.counter("connections", "alderConnectionsRefused");
        counters.gauge("connections", "alderConnections", quota::count);
        counters.overload().mark("connections", "maxConnections", quota::count, most::getAsInt);
        counters.gauge("connections", "alderConnectionLimit", most::getAsInt);
    }

    /**
     * Counts one more, which {@link #remove} takes back, unless it gives the reason why that is too many.
     *
     * @param source null if a proxy has yet to say for whom it connects
     */
    String add(Object source) {
        String refusal = quota.add(source);
        (refusal == null ? accepted : refused).increment();
        return refusal;
    }

    /** Says whose one is that was counted without a source; it still has none, if it gives the reason why that is too many. */
    String identify(Object source) {
        String refusal = quota.identify(source);
        if (refusal != null) {
            refused.increment();
        }
        return refusal;
    }

    /** Says whether who is connected has authenticated, which may change. */
    void place(Connection connection, MessageReceiver receiver, boolean authenticated) {
        MessageReceiver oldest = null;
        int most = mostBeforeBind.getAsInt();
        synchronized (beforeBind) {
            if (authenticated || connection.isClosed()) {
                beforeBind.remove(receiver);
            } else if (beforeBind.add(receiver) && beforeBind.size() > most) {
                oldest = beforeBind.iterator().next();
                beforeBind.remove(oldest);
            }
        }
        if (oldest != null) {
            gaveWay.increment();
            oldest.overloaded("the server has " + most + " connections that have not bound, as many as it may"
                    + " (maxConnectionsBeforeBind), and this one was the oldest");
        }
    }

    /** It is closed. */
    void forget(MessageReceiver receiver) {
        synchronized (beforeBind) {
            beforeBind.remove(receiver);
        }
    }

    private int countBeforeBind() {
        synchronized (beforeBind) {
            return beforeBind.size();
        }
    }

    void remove(Object source) {
        quota.remove(source);
    }
}
