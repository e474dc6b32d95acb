package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedResult;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.alder.partition.testing.Await;

/** Transactions (RFC 5805) of entries whose {@code sn} is a number. */
final class Transfers {
    private Transfers() {
    }

    static ASN1OctetString begin(LDAPConnection connection) throws LDAPException {
        return ((StartTransactionExtendedResult) connection.processExtendedOperation(new StartTransactionExtendedRequest())).getTransactionID();
    }

    static EndTransactionExtendedResult end(LDAPConnection connection, ASN1OctetString id) throws LDAPException {
        return (EndTransactionExtendedResult) connection.processExtendedOperation(new EndTransactionExtendedRequest(id, true));
    }

    static ModifyRequest exchange(String dn, String before, String after, Control... controls) {
        return new ModifyRequest(dn, new Modification[] {new Modification(ModificationType.DELETE, "sn", before), new Modification(ModificationType.ADD, "sn", after)},
                controls);
    }

    /** All of them transfer at the same time, each so many times, from one entry to another. Each sees both what it has written and what it had been told. */
    static void race(List<LDAPConnection> connections, List<String> dns, int times, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(connections.size());
        List<Future<Integer>> clients = new ArrayList<>();
        for (int client = 0; client < connections.size(); client++) {
            Random random = new Random(seed + client);
            LDAPConnection connection = connections.get(client);
            clients.add(threads.submit(() -> {
                int made = 0;
                for (int i = 0; i < times; i++) {
                    made += transfer(connection, dns.get(random.nextInt(dns.size())), dns.get(random.nextInt(dns.size()))) ? 1 : 0;
                }
                return made;
            }));
        }
        int made = 0;
        for (Future<Integer> each : clients) {
            made += each.get(Await.SECONDS, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertTrue("transfers: " + made, made > connections.size() * times / 12);
    }

    /** @return false where somebody else was faster */
    private static boolean transfer(LDAPConnection connection, String from, String to) throws LDAPException {
        if (from.equals(to)) {
            return false;
        }
        int left = Integer.parseInt(connection.getEntry(from).getAttributeValue("sn"));
        int there = Integer.parseInt(connection.getEntry(to).getAttributeValue("sn"));
        ASN1OctetString id = begin(connection);
        Control in = new TransactionSpecificationRequestControl(id);
        connection.modify(exchange(from, "" + left, "" + (left - 1), in));
        connection.modify(exchange(to, "" + there, "" + (there + 1), in));
        EndTransactionExtendedResult ended = end(connection, id);
        if (ended.getResultCode().equals(ResultCode.SUCCESS)) {
            return true;
        }
        assertEquals(ended.getDiagnosticMessage(), ResultCode.NO_SUCH_ATTRIBUTE, ended.getResultCode());
        return false;
    }
}
