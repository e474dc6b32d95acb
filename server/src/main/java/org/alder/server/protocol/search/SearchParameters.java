package org.alder.server.protocol.search;

import java.util.List;
import java.util.Locale;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterDecoder;
import org.alder.partition.filter.Filters;
import org.alder.partition.request.SearchScope;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLine;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.control.AttributeNames;
import org.alder.server.control.RequestLimits;
import org.alder.server.directory.Dereferencing;
import org.alder.server.protocol.LdapMessage;

/**
 * A search request as it is sent (RFC 4511 4.5.1, scope 3 of draft-sermersheim-ldap-subordinate-scope included).
 */
public record SearchParameters(String base, SearchScope scope, Dereferencing dereferencing, int sizeLimit, int timeLimitSeconds,
        boolean typesOnly, Filter filter,
                        List<String> attributes) implements AuditedRequest {
    @Override
    public AuditLevel level() {
        return AuditLevel.ALL;
    }

    @Override
    public void describe(AuditLine line) {
        line.text("target", base).text("scope", scope.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .text("filter", Filters.format(Filters.withValues(filter, line::shown)))
                .text("asked", attributes.isEmpty() ? null : String.join(" ", attributes));
    }

    /** @throws DirectoryException protocolError if a field has a value that it cannot have, adminLimitExceeded if it is too large */
    public static SearchParameters decode(BerReader reader, RequestLimits limits) throws BerException, DirectoryException {
        int outer = reader.enter(LdapMessage.SEARCH);
        String base = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
        SearchScope scope = scope(reader.readInt(BerWriter.ENUMERATED));
        Dereferencing dereferencing = dereferencing(reader.readInt(BerWriter.ENUMERATED));
        int sizeLimit = inRange("size limit", reader.readInt(BerWriter.INTEGER), Integer.MAX_VALUE);
        int timeLimit = inRange("time limit", reader.readInt(BerWriter.INTEGER), Integer.MAX_VALUE);
        boolean typesOnly = reader.readBoolean(BerWriter.BOOLEAN);
        Filter filter = FilterDecoder.decode(reader, limits.filter());
        List<String> attributes = AttributeNames.read(reader, limits);
        reader.leaveFully(outer);
        return new SearchParameters(base, scope, dereferencing, sizeLimit, timeLimit, typesOnly, filter, attributes);
    }

    private static SearchScope scope(int code) throws DirectoryException {
        SearchScope scope = SearchScope.ofCode(code);
        if (scope == null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "search scope " + code + ", expected 0 to 3");
        }
        return scope;
    }

    private static Dereferencing dereferencing(int code) throws DirectoryException {
        Dereferencing dereferencing = Dereferencing.ofCode(code);
        if (dereferencing == null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "dereference code " + code + ", expected 0 to 3");
        }
        return dereferencing;
    }

    private static int inRange(String what, int value, int most) throws DirectoryException {
        if (value < 0 || value > most) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, what + " " + value + ", expected 0 to " + most);
        }
        return value;
    }
}
