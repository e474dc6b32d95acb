package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification.Kind;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.guard.AdministratorsDirectory;
import org.alder.server.directory.local.PartitionGroups;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Whom the group of the administrators names is one, from the next request on and until it does not. */
public class AdministratorsTest {
    private static final String GROUP = "cn=administrators," + TestServer.SUFFIX;
    private static final String OTHER_GROUP = "cn=others," + TestServer.SUFFIX;

    private TestServer server;
    private LDAPConnection first;

    @Before
    public void start() throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.administrator = settings.administrator().withGroup(TestServer.dn(GROUP))));
        first = server.admin();
        first.add(GROUP, new Attribute("objectClass", "groupOfNames"), new Attribute("member", TestServer.userDn(1)));
    }

    @After
    public void stop() {
        first.close();
        server.close();
    }

    private void member(ModificationType change, int user) throws LDAPException {
        first.modify(GROUP, new Modification(change, "member", TestServer.userDn(user)));
    }

    private static LDAPResult describe(LDAPConnection connection, String text) throws LDAPException {
        return connection.modify(TestServer.userDn(9), new Modification(ModificationType.REPLACE, "description", text));
    }

    private static void refusesToDescribe(LDAPConnection connection) {
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> describe(connection, "no"));
    }

    @Test
    public void aMemberDoesWhatTheAdministratorDoes() throws LDAPException {
        try (LDAPConnection second = server.user(1); LDAPConnection user = server.user(2)) {
            describe(second, "by the second administrator");
            assertTrue(second.getEntry(TestServer.userDn(9)).hasAttribute("userPassword"));
            assertNotNull(second.getEntry("cn=Monitor"));
            SearchRequest proxied = new SearchRequest(TestServer.userDn(9), SearchScope.BASE, "(objectClass=*)");
            proxied.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + TestServer.userDn(9)));
            assertEquals(1, second.search(proxied).getEntryCount());
            second.modify(GROUP, new Modification(ModificationType.ADD, "member", TestServer.userDn(2)));
            describe(user, "by the third one");
        }
    }

    @Test
    public void whoIsTakenOutOrPutInFeelsItOnTheOpenConnection() throws LDAPException {
        member(ModificationType.ADD, 3);
        try (LDAPConnection one = server.user(1); LDAPConnection two = server.user(2)) {
            describe(one, "first");
            refusesToDescribe(two);
            member(ModificationType.DELETE, 1);
            refusesToDescribe(one);
            assertFalse(one.getEntry(TestServer.userDn(9)).hasAttribute("userPassword"));
            member(ModificationType.ADD, 2);
            describe(two, "second");
            first.delete(GROUP);
            refusesToDescribe(two);
        }
    }

    @Test
    public void groupsInTheGroupAndUrlsMakeNobodyAnAdministrator() throws LDAPException {
        first.add(OTHER_GROUP, new Attribute("objectClass", "groupOfNames"), new Attribute("member", TestServer.userDn(4)));
        first.modify(GROUP, new Modification(ModificationType.ADD, "member", OTHER_GROUP));
        first.modify(GROUP, new Modification(ModificationType.REPLACE, "objectClass", "groupOfNames", "extensibleObject"),
                new Modification(ModificationType.ADD, "memberURL", "ldap:///ou=users," + TestServer.SUFFIX + "??sub?(uid=user.5)"));
        assertTrue(List.of(first.getEntry(GROUP).getAttributeValues("member")).contains(TestServer.userDn(5)));
        try (LDAPConnection nested = server.user(4); LDAPConnection found = server.user(5)) {
            refusesToDescribe(nested);
            refusesToDescribe(found);
        }
    }

    @Test
    public void whatWaitsInATransactionIsForgottenWithTheRights() throws LDAPException {
        member(ModificationType.ADD, 3);
        try (LDAPConnection one = server.user(1)) {
            StartTransactionExtendedResult started =
                    (StartTransactionExtendedResult) one.processExtendedOperation(new StartTransactionExtendedRequest());
            AddRequest add = new AddRequest("cn=late," + TestServer.SUFFIX, new Attribute("objectClass", "device"));
            add.addControl(new TransactionSpecificationRequestControl(started.getTransactionID()));
            assertEquals(ResultCode.SUCCESS, one.add(add).getResultCode());
            member(ModificationType.DELETE, 1);
            fails(ResultCode.OPERATIONS_ERROR, () -> one.processExtendedOperation(
                    new EndTransactionExtendedRequest(started.getTransactionID(), true)));
            assertEquals(null, first.getEntry("cn=late," + TestServer.SUFFIX));
        }
    }

    @Test
    public void aSearchForChangesEndsAtTheFirstChangeAfterTheRightsAreGone() throws Exception {
        member(ModificationType.ADD, 3);
        try (LDAPConnection one = server.user(1)) {
            FollowingListener told = new FollowingListener();
            SearchRequest request = new SearchRequest(told, TestServer.userDn(9), SearchScope.BASE, "(objectClass=*)");
            request.addControl(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
            one.asyncSearch(request);
            // What is changed after the answer to this is told.
            one.getRootDSE();
            describe(first, "for the administrator");
            assertEquals("for the administrator", told.next(SearchResultEntry.class).getAttributeValue("description"));
            member(ModificationType.DELETE, 1);
            describe(first, "not for the former administrator");
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, told.next(SearchResult.class).getResultCode());
        }
    }

    @Test
    public void theAdministratorOfTheConfigurationCanBeTurnedOff() throws LDAPException {
        try (TestServer other = new TestServer(settings -> settings.with(draft -> draft.administrator = 
                Administrator.turnedOff(TestServer.dn(TestServer.ADMIN)).withGroup(TestServer.dn(GROUP))));
                LDAPConnection anonymous = other.anonymous()) {
            other.add(GROUP, "objectClass: groupOfNames", "cn: administrators", "member: " + TestServer.userDn(1));
            fails(ResultCode.INVALID_CREDENTIALS, () -> anonymous.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD));
            anonymous.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
            describe(anonymous, "administered without the other one");
        }
    }

    /** One that lets everybody do everything, for rules that are too wide. */
    private static final class Anything extends DirectoryFilter {
        Anything() {
            super(null);
        }

        @Override
        public CompletableFuture<Change> add(OperationContext context, Dn dn, List<org.alder.partition.entry.Attribute> attributes) {
            return CompletableFuture.completedFuture(Change.UNSEEN);
        }

        @Override
        public CompletableFuture<Change> modify(OperationContext context, Dn dn,
                List<org.alder.partition.request.Modification> modifications) {
            return CompletableFuture.completedFuture(Change.UNSEEN);
        }

        @Override
        public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
            return CompletableFuture.completedFuture(Change.UNSEEN);
        }

        @Override
        public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
            return CompletableFuture.completedFuture(Change.UNSEEN);
        }
    }

    private static void refused(CompletableFuture<Change> change) {
        Throwable failure = assertThrows(CompletionException.class, change::join).getCause();
        assertEquals(org.alder.partition.error.ResultCode.INSUFFICIENT_ACCESS_RIGHTS, ((DirectoryException) failure).resultCode());
    }

    @Test
    public void nobodyElseTouchesTheGroupOrItsMembersWhateverElseHeMay() throws DirectoryException {
        Directory guarded = new AdministratorsDirectory(new Anything(), new Administrators(Administrator.turnedOff(
                TestServer.dn(TestServer.ADMIN)).withGroup(TestServer.dn(GROUP)),
                new PartitionGroups(TestServer.SCHEMA, server::partitions)));
        OperationContext user = new OperationContext(new Identity(TestServer.dn(TestServer.userDn(2)), false), Instant.EPOCH,
                null);
        OperationContext member = user.withIdentity(new Identity(TestServer.dn(TestServer.userDn(1)), true));
        OperationContext subtree =
                user.withOptions(new OperationOptions(null, false, false, List.of(), false, true, false, false, false));
        List<org.alder.partition.request.Modification> change =
                List.of(new org.alder.partition.request.Modification(Kind.REPLACE, "description", List.of()));
        Dn group = TestServer.dn(GROUP);
        Dn one = TestServer.dn(TestServer.userDn(1));
        Dn other = TestServer.dn(TestServer.userDn(3));
        Dn users = TestServer.dn("ou=users," + TestServer.SUFFIX);
        Dn suffix = TestServer.dn(TestServer.SUFFIX);
        for (Dn sensitive : List.of(group, one)) {
            refused(guarded.add(user, sensitive, List.of()));
            refused(guarded.modify(user, sensitive, change));
            refused(guarded.delete(user, sensitive));
            refused(guarded.rename(user, sensitive, other.rdn(), true, null));
            refused(guarded.rename(user, other, sensitive.rdn(), true, sensitive.parent()));
            guarded.modify(member, sensitive, change).join();
            guarded.delete(member, sensitive).join();
        }
        refused(guarded.rename(user, users, Rdn.parse(TestServer.SCHEMA, "ou=elsewhere"), true, null));
        refused(guarded.rename(user, TestServer.dn("ou=evil," + TestServer.SUFFIX), users.rdn(), true, suffix));
        refused(guarded.delete(subtree, users));
        refused(guarded.delete(subtree, suffix));
        guarded.add(user, other, List.of()).join();
        guarded.modify(user, other, change).join();
        guarded.rename(user, other, Rdn.parse(TestServer.SCHEMA, "uid=renamed"), true, null).join();
        guarded.delete(subtree, other).join();
        OperationContext himself = user.withIdentity(new Identity(one, false));
        guarded.modify(himself, one, change).join();
        refused(guarded.modify(himself, group, change));
    }

    @Test
    public void aReadOnlyEntryOfAMemberIsHisOwnToChangeAsFarAsTheRulesLetHim() throws LDAPException {
        try (LDAPConnection one = server.user(1)) {
            one.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "userPassword", "another"));
            ReadOnlyEntry entry = one.getEntry(TestServer.userDn(1));
            assertTrue(entry.hasAttribute("userPassword"));
        }
        try (LDAPConnection again = server.anonymous()) {
            again.bind(TestServer.userDn(1), "another");
        }
    }
}
