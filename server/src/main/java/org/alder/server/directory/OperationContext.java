package org.alder.server.directory;

import java.time.Instant;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.request.Patience;
import org.alder.partition.update.EntryNotes;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.access.Requester;
import org.alder.server.audit.AuditTrail;
import org.alder.server.auth.Identity;

/**
 * In whose name, when and how an operation is asked for. Immutable.
 *
 * @param time when the request was received
 * @param client from whose connection; null for the server itself
 * @param transaction what updates become part of instead of being made at once, or null
 * @param manageDsaIt whether updates and compares take referral objects as the entries they are (RFC 3296 3)
 * @param access what the identity may know of the entry that is changed or asserted about
 * @param check what has to hold of that entry, or null
 * @param notes what the server itself changes with an add or a modify, or null
 * @param audit where it is told what happens that is not in the answer
 * @param patience how long whoever asks waits for what reads; updates are made whole
 */
public record OperationContext(Identity identity, Instant time, Client client, OperationOptions options,
                               UpdateTransaction transaction, boolean manageDsaIt, EntryAccess access, EntryCheck check,
                               EntryNotes notes, AuditTrail audit, Patience patience) {
    /** The identity may know everything, until access control says what. */
    public OperationContext(Identity identity, Instant time, Client client) {
        this(identity, time, client, AuditTrail.NONE, Patience.ENDLESS);
    }

    /** The same, audited, and for somebody who does not wait for ever. */
    public OperationContext(Identity identity, Instant time, Client client, AuditTrail audit, Patience patience) {
        this(identity, time, client, OperationOptions.NONE, null, false, EntryAccess.ALL, null, null, audit, patience);
    }

    public OperationContext withIdentity(Identity other) {
        return new OperationContext(other, time, client, options, transaction, manageDsaIt, access, check, notes, audit, patience);
    }

    public OperationContext withOptions(OperationOptions other) {
        return new OperationContext(identity, time, client, other, transaction, manageDsaIt, access, check, notes, audit, patience);
    }

    public OperationContext withManageDsaIt(boolean other) {
        return new OperationContext(identity, time, client, options, transaction, other, access, check, notes, audit, patience);
    }

    public OperationContext withTransaction(UpdateTransaction other) {
        return new OperationContext(identity, time, client, options, other, manageDsaIt, access, check, notes, audit, patience);
    }

    public OperationContext withAccess(EntryAccess other) {
        return new OperationContext(identity, time, client, options, transaction, manageDsaIt, other, check, notes, audit, patience);
    }

    public OperationContext withCheck(EntryCheck other) {
        return new OperationContext(identity, time, client, options, transaction, manageDsaIt, access, other, notes, audit, patience);
    }

    public OperationContext withNotes(EntryNotes other) {
        return new OperationContext(identity, time, client, options, transaction, manageDsaIt, access, check, other, audit, patience);
    }

    /** Whether something is asserted of the entry that the operation is about. */
    public boolean asserts() {
        return options != OperationOptions.NONE && options.assertion() != null;
    }

    /** Who asks, for access rules. */
    public Requester requester() {
        return new Requester(identity, client);
    }

    /** Stands for the client where clients take turns, such as his address; null for the server itself. */
    public Object source() {
        return client == null ? null : client.source();
    }

    public UpdateOrigin updateOrigin() {
        return new UpdateOrigin(identity.dn().text(), time);
    }
}
