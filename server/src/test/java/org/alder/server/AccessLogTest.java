package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.util.json.JSONException;
import com.unboundid.util.json.JSONObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.AccessLogSettings.Told;
import org.alder.server.audit.LogFiles;
import org.alder.server.audit.ShownValues;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The access log says what each operation cost, shows of values what it may, and keeps nobody waiting. */
public class AccessLogTest {
    private static final String SECRET = "xyzzy";
    private static final String LONG_VALUE = "a value that is longer than thirty-two bytes";
    private static final long NEVER_MICROS = 3_600_000_000L;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** What clients do. */
    @FunctionalInterface
    private interface Work {
        void with(TestServer server, LDAPConnection admin) throws LDAPException;
    }

    private Path file() {
        return temporary.getRoot().toPath().resolve("access").resolve("access.jsonl");
    }

    private List<JSONObject> logged(Told told, ShownValues values, long slowMicros, Work work) throws LDAPException, IOException, JSONException {
        AccessLogSettings settings = new AccessLogSettings(told, new LogFiles(file(), 1 << 30, 0, 7), values, slowMicros);
        try (TestServer server = new TestServer(before -> before.with(draft -> draft.accessLog = settings)); LDAPConnection admin = server.admin()) {
            work.with(server, admin);
        }
        List<JSONObject> lines = new ArrayList<>();
        for (String line : Files.readString(file()).split("\n")) {
            if (!line.isEmpty()) {
                lines.add(new JSONObject(line));
            }
        }
        return lines;
    }

    private List<JSONObject> all(Work work) throws LDAPException, IOException, JSONException {
        return logged(Told.ALL, ShownValues.CUT, NEVER_MICROS, work);
    }

    private static JSONObject only(List<JSONObject> lines, String kind) {
        List<JSONObject> found = lines.stream().filter(line -> kind.equals(line.getFieldAsString("kind"))).toList();
        assertEquals(found.toString(), 1, found.size());
        return found.get(0);
    }

    private static long number(JSONObject line, String name) {
        return line.getFieldAsLong(name);
    }

    @Test
    public void aSearchSaysWhatItCost() throws Exception {
        JSONObject search = only(all((server, admin) -> admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)", "cn")), "search");
        assertEquals(1, number(search, "entries"));
        assertEquals(1, number(search, "examined"));
        assertEquals("uid", search.getFieldAsString("indexes"));
        assertNull(search.getField("unindexed"));
        assertNull(search.getField("walk"));
        assertEquals("(uid=user.7)", search.getFieldAsString("filter"));
        assertEquals("dn:" + TestServer.ADMIN, search.getFieldAsString("identity"));
        assertEquals("success", search.getFieldAsString("result"));
        assertTrue(number(search, "micros") >= number(search, "queueMicros") && number(search, "queueMicros") >= 0);
        assertTrue(number(search, "requestBytes") > 20 && number(search, "answerBytes") > number(search, "requestBytes"));
    }

    @Test
    public void whatNoIndexAnswersIsNamed() throws Exception {
        JSONObject search = only(all((server, admin) ->
                admin.search(TestServer.SUFFIX, SearchScope.SUB, "(|(sn=Number7)(title=x*))")), "search");
        assertEquals(1, number(search, "entries"));
        assertEquals(TestServer.USERS + 2, number(search, "examined"));
        assertEquals("sn eq, title sub", search.getFieldAsString("unindexed"));
        assertEquals(Boolean.TRUE, search.getFieldAsBoolean("walk"));
        assertNull(search.getField("indexes"));
    }

    @Test
    public void entriesOfPagesAndSortedOnesAreCounted() throws Exception {
        List<JSONObject> lines = all((server, admin) -> {
            SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(uid=*)", "cn");
            request.setControls(new SimplePagedResultsControl(20));
            assertEquals(20, admin.search(request).getEntryCount());
            request.setControls(new ServerSideSortRequestControl(new SortKey("uid")));
            assertEquals(TestServer.USERS, admin.search(request).getEntryCount());
        });
        assertEquals(List.of(20L, (long) TestServer.USERS), lines.stream().filter(line -> "search".equals(line.getFieldAsString("kind")))
                .map(line -> number(line, "entries")).toList());
    }

    @Test
    public void theSlowLogHasWhatTookLongAndWhatLackedAnIndex() throws Exception {
        List<JSONObject> unindexed = logged(Told.SLOW, ShownValues.CUT, NEVER_MICROS, (server, admin) -> {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number7)");
        });
        assertEquals("(sn=Number7)", only(unindexed, "search").getFieldAsString("filter"));
        assertEquals("and no bind", 1, unindexed.size());
        Files.delete(file());
        List<JSONObject> slow = logged(Told.SLOW, ShownValues.CUT, 1, (server, admin) -> admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)"));
        assertEquals("all take a microsecond", List.of("bind", "search"), slow.stream().map(line -> line.getFieldAsString("kind")).toList());
    }

    private void askWithValues(TestServer server, LDAPConnection admin) throws LDAPException {
        admin.search(TestServer.SUFFIX, SearchScope.SUB, "(|(userPassword=" + SECRET + ")(description=*" + LONG_VALUE + "*)(noSuchThing=" + SECRET + "))");
        admin.add("cn=new," + TestServer.SUFFIX, new Attribute("objectClass", "person"), new Attribute("sn", "short"),
                new Attribute("description", LONG_VALUE), new Attribute("userPassword", SECRET));
        fails(ResultCode.INVALID_CREDENTIALS, () -> {
            try (LDAPConnection other = server.anonymous()) {
                other.bind(TestServer.userDn(1), SECRET);
            }
        });
    }

    @Test
    public void valuesAreShownAsThePolicySays() throws Exception {
        List<JSONObject> cut = all(this::askWithValues);
        assertEquals("(|(userPassword=...)(description=*" + LONG_VALUE.substring(0, 32) + "...*)(noSuchThing=...))",
                only(cut, "search").getFieldAsString("filter"));
        String added = only(cut, "add").getField("attributes").toString();
        assertTrue(added, added.contains("\"short\"") && added.contains('"' + LONG_VALUE.substring(0, 32) + "...\""));
        assertFalse(Files.readString(file()).contains(SECRET));
        Files.delete(file());

        List<JSONObject> none = logged(Told.ALL, ShownValues.NONE, NEVER_MICROS, this::askWithValues);
        assertEquals("(|(userPassword=...)(description=*...*)(noSuchThing=...))", only(none, "search").getFieldAsString("filter"));
        String hidden = only(none, "add").getField("attributes").toString();
        assertTrue(hidden, hidden.contains("\"description\"") && !hidden.contains("short") && !hidden.contains("values"));
        assertTrue(none.stream().noneMatch(line -> line.getField("diagnostic") != null));
        assertFalse(Files.readString(file()).contains(SECRET));
        Files.delete(file());

        List<JSONObject> whole = logged(Told.ALL, ShownValues.ALL, NEVER_MICROS, this::askWithValues);
        assertEquals("(|(userPassword=...)(description=*" + LONG_VALUE + "*)(noSuchThing=...))", only(whole, "search").getFieldAsString("filter"));
        assertFalse(Files.readString(file()).contains(SECRET));
    }

    @Test
    public void aCutEndsBetweenTwoCharacters() throws Exception {
        String umlauts = "x" + "\u00e4".repeat(40);
        JSONObject search = only(all((server, admin) ->
                admin.search(TestServer.SUFFIX, SearchScope.SUB, Filter.createEqualityFilter("description", umlauts))), "search");
        assertEquals("(description=x" + "\u00e4".repeat(15) + "...)", search.getFieldAsString("filter"));
    }

    @Test
    public void nobodyWritesLinesOfHisOwn() throws Exception {
        String nasty = "\n{\"kind\":\"bind\"}\r\u0085\u2028\u202E\u0000\u001b[2J\"\\";
        List<JSONObject> lines = logged(Told.ALL, ShownValues.ALL, NEVER_MICROS, (server, admin) -> {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, Filter.createEqualityFilter("description", nasty), "cn", "x" + nasty);
            fails(ResultCode.INVALID_DN_SYNTAX, () -> admin.delete("no name" + nasty));
            admin.modify(TestServer.userDn(2), new Modification(ModificationType.REPLACE, "description", nasty));
        });
        String text = new String(Files.readAllBytes(file()), StandardCharsets.UTF_8);
        assertEquals("bind, and one for each request", 4, text.lines().count());
        assertEquals(List.of("bind", "search", "delete", "modify"), lines.stream().map(line -> line.getFieldAsString("kind")).toList());
        assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7F));
        assertTrue(only(lines, "delete").getFieldAsString("target").endsWith(nasty));
    }

    @Test
    public void aDiskThatFailsDelaysNobodyAndLossesAreCounted() throws Exception {
        AccessLogSettings settings = new AccessLogSettings(Told.ALL, new LogFiles(file(), 1, 0, 7), ShownValues.CUT, NEVER_MICROS);
        try (LoggedMessages messages = new LoggedMessages("org.alder.server.audit.LineLog");
                TestServer server = new TestServer(before -> before.with(draft -> draft.accessLog = settings)); LDAPConnection admin = server.admin()) {
            Await.until("the first line", () -> Files.size(file()) > 0);
            Path aside = file().getParent().resolveSibling("aside");
            Files.move(file().getParent(), aside);
            assertEquals(1, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)").getEntryCount());
            Await.until("a loss that is shown", () -> admin.getEntry("cn=access-log,cn=Monitor").getAttributeValueAsInteger("alderAccessLinesLost") > 0);
            assertTrue(messages.has("the access log"));
            Files.move(aside, file().getParent());
            Await.until("lines that say how many there are not", () -> {
                admin.getRootDSE();
                return anyLineHas("eventsLost");
            });
            assertTrue(server.takeFaults().stream().allMatch(fault -> fault.contains("the access log")));
        }
    }

    private boolean anyLineHas(String text) throws IOException {
        try (Stream<Path> files = Files.list(file().getParent())) {
            for (Path each : files.toList()) {
                if (Files.exists(each) && Files.readString(each).contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    public void olderFilesGo() throws Exception {
        AccessLogSettings settings = new AccessLogSettings(Told.ALL, new LogFiles(file(), 1, 0, 3), ShownValues.CUT, NEVER_MICROS);
        for (int start = 0; start < 6; start++) {
            try (TestServer server = new TestServer(before -> before.with(draft -> draft.accessLog = settings)); LDAPConnection admin = server.admin()) {
                admin.getEntry(TestServer.userDn(1));
            }
        }
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertEquals(4, files.count());
        }
    }

    @Test
    public void withoutASettingThereIsNoAccessLog() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            assertNull(admin.getEntry("cn=access-log,cn=Monitor"));
        }
        assertFalse(Files.exists(file()));
    }
}
