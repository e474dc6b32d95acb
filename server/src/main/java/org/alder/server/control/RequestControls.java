package org.alder.server.control;

import java.util.Map;

/** The decoded controls of one request. Immutable. */
public final class RequestControls {
    static final RequestControls NONE = new RequestControls(Map.of());

    private final Map<ControlHandler<?>, Object> values;

    RequestControls(Map<ControlHandler<?>, Object> values) {
        this.values = values;
    }

    /** What the control says, or null if the request has it not. */
    @SuppressWarnings("unchecked")
    public <T> T get(ControlHandler<T> handler) {
        return (T) values.get(handler);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public boolean has(ControlHandler<?> handler) {
        return values.containsKey(handler);
    }
}
