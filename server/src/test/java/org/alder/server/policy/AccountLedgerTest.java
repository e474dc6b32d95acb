package org.alder.server.policy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Modification;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class AccountLedgerTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00.123456Z");

    private final AccountAttributes attributes = new AccountAttributes(TestServer.SCHEMA);
    private Partition partition;
    private AccountLedger ledger;

    @Before
    public void open() {
        partition = new Partition(TestServer.SCHEMA, TestServer.dn(TestServer.SUFFIX), List.of(),
                new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, List.of(), 10)));
        ledger = new AccountLedger(attributes, () -> NOW);
    }

    @After
    public void close() {
        partition.close();
        ledger.close();
    }

    private static Dn user(int number) {
        return TestServer.dn(TestServer.userDn(number));
    }

    private static AccountState failed(int times) {
        AccountState state = AccountState.EMPTY;
        for (int i = 0; i < times; i++) {
            state = LoginRules.wrong(PasswordPolicy.STANDARD, state, NOW).next();
        }
        return state;
    }

    private void note(int user, AccountState stored, AccountState next) {
        synchronized (ledger.lock(user(user))) {
            ledger.note(partition, user(user), stored, next);
        }
    }

    /** The store takes nothing, so that nothing can be written. */
    @Test
    public void ofTooManyAccountsTheOldestAreForgotten() {
        partition.close();
        for (int i = 0; i < AccountLedger.MOST_ACCOUNTS + 100; i++) {
            note(i, AccountState.EMPTY, failed(1));
        }
        assertEquals(AccountLedger.MOST_ACCOUNTS, ledger.size());
        assertNull(ledger.noted(user(99)));
        assertNotNull(ledger.noted(user(100)));
    }

    @Test
    public void whatTheEntrySaysOtherwiseHolds() {
        note(1, AccountState.EMPTY, failed(2));
        assertTrue(ledger.noted(user(1)).isBeyond(AccountState.EMPTY));
        assertFalse(ledger.noted(user(1)).isBeyond(AccountState.EMPTY.withPassword(NOW, false)));
        note(1, AccountState.EMPTY.withPassword(NOW, false), AccountState.EMPTY.withPassword(NOW, false));
        assertEquals(0, ledger.size());
        note(1, AccountState.EMPTY, failed(2));
        note(1, AccountState.EMPTY, AccountState.EMPTY);
        assertEquals("nothing is left to write", 0, ledger.size());
        note(1, AccountState.EMPTY, failed(2));
        ledger.forget(user(1));
        assertEquals(0, ledger.size());
    }

    /** Whatever a state is made of: what is written is read as the same. */
    @Test
    public void changesLeadFromOneStateToTheOther() {
        AccountState full = new AccountState(NOW, NOW, NOW.plusSeconds(1), failed(3).failures(), List.of(NOW), true, NOW, null,
                null, false, AccountState.Inherited.NOTHING);
        List<AccountState> states = List.of(AccountState.EMPTY, full, failed(10), full.locked(), full.unlocked(),
                full.withPassword(NOW.plusSeconds(9), false));
        for (AccountState state : states) {
            assertEquals(state, attributes.of(record(attributes.changes(AccountState.EMPTY, state))));
            assertEquals(List.of(), attributes.changes(state, state));
        }
        assertEquals(7, attributes.changes(full, AccountState.EMPTY).size());
    }

    private static EntryRecord record(List<Modification> changes) {
        return EntryRecord.of(0, new byte[0], List.of(), changes.stream().filter(change -> !change.values().isEmpty())
                .map(change -> new Attribute(change.description(), change.values())).toList());
    }

    @Test
    public void timesOfOtherServersAreRead() {
        AccountState state = attributes.of(EntryRecord.of(0, new byte[0], List.of(), List.of(
                attribute("pwdAccountLockedTime", "000001010000Z"), attribute("pwdFailureTime", "20260102030405.000002Z",
                        "20260102030405Z", "20260102040405+0100", "no time"), attribute("authTimestamp", "20260102030405Z"),
                attribute("pwdLastSuccess", "20250102030405Z"), attribute("nsAccountLock", "True"))));
        assertEquals(AccountState.FOREVER, state.lockedSince());
        Instant time = Instant.parse("2026-01-02T03:04:05Z");
        assertEquals(List.of(time, time, time.plusNanos(2000)), state.failures());
        assertEquals(time, state.lastSuccess());
        assertTrue(state.disabled());
    }

    private static Attribute attribute(String name, String... values) {
        return new Attribute(name, List.of(values).stream().map(value -> value.getBytes(StandardCharsets.US_ASCII)).toList());
    }
}
