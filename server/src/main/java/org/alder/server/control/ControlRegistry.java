package org.alder.server.control;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * The controls the server acts on: what it advertises and what it accepts are this one list. Immutable, thread safe.
 */
public final class ControlRegistry {
    private final Map<String, ControlHandler<?>> handlers = new TreeMap<>();
    private final Supplier<RequestLimits> limits;

    /** @param limits of what the value of one may ask for; asked when one is decoded */
    public ControlRegistry(List<ControlHandler<?>> handlers, Supplier<RequestLimits> limits) {
        this.limits = limits;
        for (ControlHandler<?> handler : handlers) {
            this.handlers.put(handler.oid(), handler);
            handler.otherOids().forEach(oid -> this.handlers.put(oid, handler));
        }
    }

    /** Values of supportedControl. */
    public List<String> oids() {
        return List.copyOf(handlers.keySet());
    }

    /**
     * Decodes what applies to the operation and ignores what does not, unless it is critical (RFC 4511 4.1.11).
     *
     * @throws DirectoryException unavailableCriticalExtension, or protocolError for a wrong value or a control that comes twice
     */
    public RequestControls accept(List<RequestControl> controls, OperationKind operation) throws DirectoryException {
        Map<ControlHandler<?>, Object> accepted = new LinkedHashMap<>();
        Set<ControlHandler<?>> critical = new HashSet<>();
        for (RequestControl control : controls) {
            ControlHandler<?> handler = handlers.get(control.oid());
            if (handler != null && handler.operations().contains(operation)) {
                accept(control, handler, accepted);
                if (control.critical()) {
                    critical.add(handler);
                }
            } else if (control.critical()) {
                throw refused(control, handler, operation);
            }
        }
        return new RequestControls(accepted, critical);
    }

    private void accept(RequestControl control, ControlHandler<?> handler, Map<ControlHandler<?>, Object> accepted)
            throws DirectoryException {
        if (handler.mustBeCritical() && !control.critical()) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "control " + control.oid() + " is not marked critical");
        }
        if (accepted.put(handler, handler.decode(control.value(), limits.get())) != null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "control " + control.oid()
                    + " comes twice in one request");
        }
    }

    private static DirectoryException refused(RequestControl control, ControlHandler<?> handler, OperationKind operation) {
        String reason = handler == null ? "is not supported" : "does not apply to " + operation + " requests";
        return new DirectoryException(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION,
                "critical control " + control.oid() + " " + reason);
    }
}
