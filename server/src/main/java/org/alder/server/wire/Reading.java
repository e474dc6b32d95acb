package org.alder.server.wire;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.mina.core.session.IoSession;

/** Whether a connection is read: it is, unless something holds that back. Thread safe. */
final class Reading {
    /** Why a connection is not read. */
    enum Reason {
        /** Who receives has enough to do. */
        RECEIVER,
        /** The client does not read its answers. */
        OUTPUT,
        /** A step of the TLS handshake is computed, or waits to be. */
        HANDSHAKE
    }

    private final IoSession session;
    /** Guarded by itself, as are suspending and resuming. */
    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    private volatile boolean isHeld;

    Reading(IoSession session) {
        this.session = session;
    }

    boolean isHeld() {
        return isHeld;
    }

    void hold(Reason reason, boolean isOn) {
        synchronized (reasons) {
            if (isOn) {
                reasons.add(reason);
            } else {
                reasons.remove(reason);
            }
            boolean shall = !reasons.isEmpty();
            if (shall != isHeld) {
                isHeld = shall;
                if (shall) {
                    session.suspendRead();
                } else {
                    session.resumeRead();
                }
            }
        }
    }

    /** @param isOn asked while no other thread can hold or let go: what it asks about may change meanwhile */
    void hold(Reason reason, BooleanSupplier isOn) {
        synchronized (reasons) {
            hold(reason, isOn.getAsBoolean());
        }
    }
}
