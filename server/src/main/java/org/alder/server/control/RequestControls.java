package org.alder.server.control;

import java.util.Map;
import java.util.Set;

/** The decoded controls of one request. Immutable. */
public final class RequestControls {
    /** Of a request without any. */
    public static final RequestControls NONE = new RequestControls(Map.of(), Set.of());

    private final Map<ControlHandler<?>, Object> values;
    private final Set<ControlHandler<?>> critical;

    RequestControls(Map<ControlHandler<?>, Object> values, Set<ControlHandler<?>> critical) {
        this.values = values;
        this.critical = critical;
    }

    /** What the control says, or null if the request has it not. */
    @SuppressWarnings("unchecked")
    public <T> T get(ControlHandler<T> handler) {
        return (T) values.get(handler);
    }

    /** Whether the client does without the operation rather than without the control. */
    public boolean isCritical(ControlHandler<?> handler) {
        return critical.contains(handler);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public boolean has(ControlHandler<?> handler) {
        return values.containsKey(handler);
    }
}
