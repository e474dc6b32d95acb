package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.RequestLimits;
import org.alder.server.directory.Directory;
import org.alder.server.extended.ExtendedOperation;
import org.alder.server.login.Authenticator;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.policy.AccountLogins;
import org.alder.server.protocol.HandedUpdates;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.OtherMembers;
import org.alder.server.protocol.search.SearchOperation;

/** All LDAP operations with a response: the one list of what is answered. */
public final class Operations {
    private Operations() {
    }

    /** @param directory the outermost one, with access control and limits in it  @param extended those of the directory  @param members who may lead what this one does not */
    public static List<Operation> of(Directory directory, Authenticator authenticator, SaslMechanisms mechanisms,
            Schema schema, ControlRegistry controls, Supplier<RequestLimits> limits,
            Collection<ExtendedOperation> extended, AccountLogins logins, OtherMembers members) {
        HandedUpdates handed = new HandedUpdates(members);
        List<Operation> all = new ArrayList<>(List.of(new BindOperation(authenticator, mechanisms, schema, controls),
                new SearchOperation(directory, schema, controls, limits, logins), new CompareOperation(directory, schema, controls),
                new ExtendedOperations(directory, extended, controls, handed)));
        for (UpdateRequest.Kind kind : UpdateRequest.Kind.values()) {
            all.add(new UpdateOperation(kind, directory, schema, controls, handed));
        }
        return all;
    }

    /** The OIDs of all extended operations there are with these of the directory. @param tls whether connections can start TLS */
    public static List<String> extensions(Collection<ExtendedOperation> extended, boolean tls) {
        return ExtendedOperations.oids(extended, tls);
    }
}
