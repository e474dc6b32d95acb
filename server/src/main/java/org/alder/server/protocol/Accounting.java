package org.alder.server.protocol;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.alder.partition.error.ResultCode;
import org.alder.server.audit.AccessEvent;
import org.alder.server.audit.AccessLog;
import org.alder.server.audit.AuditEvent;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLog;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.audit.ShownRequests;
import org.alder.server.audit.ShownValues;
import org.alder.server.auth.Identity;
import org.alder.server.control.OperationKind;
import org.alder.server.directory.SearchCost;
import org.alder.server.resource.Counters;
import org.alder.server.resource.UnindexedSearches;

/**
 * Told how each operation ended, and tells whoever wants to know: counters, the table of indexes that searches lack, the audit log and
 * the access log. Thread safe.
 */
public final class Accounting {
    /** What is told of the lowest level on, whatever was asked for. */
    private static final Set<ResultCode> DENIALS = EnumSet.of(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, ResultCode.AUTHORIZATION_DENIED,
            ResultCode.CONFIDENTIALITY_REQUIRED, ResultCode.INVALID_CREDENTIALS);
    private static final int COPIES = 4;
    /** Looking at fewer entries than these in vain is no reason for an index. */
    private static final long FEW_ENTRIES = 1000;

    private final OperationCounters counters;
    private final UnindexedSearches unindexed;
    private final AuditLog audit;
    private final AccessLog access;
    private final ShownRequests shown;
    private final LongSupplier slowMicros;

    /**
     * @param shown how requests are shown to administrators while they are being answered
     * @param slowMicros how long an operation takes at least that is a slow one, asked for each
     */
    public Accounting(Counters counters, AuditLog audit, AccessLog access, ShownRequests shown, LongSupplier slowMicros) {
        this.counters = new OperationCounters(counters);
        this.unindexed = counters.unindexed();
        this.audit = audit;
        this.access = access;
        this.shown = shown;
        this.slowMicros = slowMicros;
    }

    AuditLog audit() {
        return audit;
    }

    /** What a request asks for, as the access log would have it. */
    String shown(AuditedRequest request) {
        return shown.json(request);
    }

    /** Whether somebody wants to know which indexes a search has used. */
    boolean isDetailed() {
        return access.isOn();
    }

    /** @param result null if nobody waited for one */
    void ended(Exchange exchange, LdapResult result) {
        long nanos = System.nanoTime() - exchange.arrivedNanos();
        OperationKind kind = exchange.kind();
        boolean isSlow = nanos >= TimeUnit.MICROSECONDS.toNanos(slowMicros.getAsLong()) && !exchange.isFollowed();
        counters.ended(kind, result == null ? null : result.code(), nanos, isSlow);
        boolean lacksIndex = kind == OperationKind.SEARCH && noteMissing(exchange, nanos, isSlow);
        boolean isAudited = audit.isOn() && isAudited(exchange, result);
        boolean isLogged = access.isTold(isSlow || lacksIndex);
        if (isAudited || isLogged) {
            AuditEvent event = event(exchange, result, nanos);
            if (isAudited) {
                audit.tell(event);
            }
            if (isLogged) {
                ShownValues values = access.values();
                // What the server says to the client may have values in it.
                access.tell(new AccessEvent(values == ShownValues.NONE ? event.withoutMessage() : event, search(exchange),
                        TimeUnit.NANOSECONDS.toMicros(exchange.queuedNanos()), exchange.requestBytes(), exchange.answerBytes(), values));
            }
        }
    }

    /** Whether the search had to look at many entries, or took long, for want of an index. */
    private boolean noteMissing(Exchange exchange, long nanos, boolean isSlow) {
        SearchCost cost = exchange.cost();
        if (cost.missing().isEmpty()) {
            return false;
        }
        boolean lacks = isSlow || cost.isWalk() || cost.examined() - exchange.returned() >= FEW_ENTRIES;
        if (lacks) {
            counters.unindexed();
            unindexed.note(cost.missing(), isSlow, TimeUnit.NANOSECONDS.toMicros(nanos), cost.examined(), exchange.returned());
        }
        return lacks;
    }

    private boolean isAudited(Exchange exchange, LdapResult result) {
        AuditedRequest about = exchange.about();
        AuditLevel from = about != null ? about.level() : exchange.kind() == OperationKind.BIND ? AuditLevel.SECURITY : AuditLevel.ALL;
        ResultCode code = result == null ? null : result.code();
        boolean isDenial = code != null && (exchange.isPolicyRefusal() || DENIALS.contains(code));
        return code != ResultCode.SASL_BIND_IN_PROGRESS && audit.isTold(isDenial ? AuditLevel.SECURITY : from);
    }

    private static AuditEvent event(Exchange exchange, LdapResult result, long nanos) {
        RemoteClient client = exchange.client();
        ResultCode code = result == null ? null : result.code();
        Identity bound = client.boundIdentity();
        Identity acting = exchange.kind() == OperationKind.BIND ? bound : exchange.context().identity();
        return new AuditEvent(exchange.context().time(), client.audited(), exchange.messageId(), exchange.kind().words(), null, exchange.about(), null,
                acting.authorizationId(), acting.authorizationId().equals(bound.authorizationId()) ? null : bound.authorizationId(),
                code == null ? "abandoned" : exchange.isInTransaction() && code == ResultCode.SUCCESS ? "queued" : code.text(),
                code == null ? -1 : code.number(), code == null ? null : result.message(), TimeUnit.NANOSECONDS.toMicros(nanos),
                AuditEvent.BASE_BYTES + COPIES * exchange.requestBytes());
    }

    private static AccessEvent.Search search(Exchange exchange) {
        SearchCost cost = exchange.cost();
        return exchange.kind() != OperationKind.SEARCH ? null
                : new AccessEvent.Search(exchange.returned(), cost.examined(), cost.isWalk(), String.join(" ", cost.indexes()), names(cost.missing()));
    }

    private static String names(List<UnindexedSearches.Missing> missing) {
        return missing.stream().map(each -> each.attribute() + ' ' + each.index()).distinct().collect(Collectors.joining(", "));
    }
}
