package org.alder.perf.bench;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.ldif.LdifGenerator;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SampleUsersTest {
    private static final int ENTRIES = 3000;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void countsAreThoseOfTheWrittenText() throws Exception {
        Path ldif = folder.getRoot().toPath().resolve("data.ldif");
        SampleUsers users = SampleUsers.write(new LdifGenerator(5), ENTRIES, ldif);
        String[] records = Files.readString(ldif).split("\n\n");
        long withInitials = 0;
        long both = 0;
        long all = 0;
        long alphas = 0;
        long alphasAb = 0;
        for (String record : records) {
            boolean ab = record.contains("\ninitials: ab\n");
            boolean alpha = record.contains("\nemployeeType: alpha\n");
            alphas += alpha ? 1 : 0;
            alphasAb += ab && alpha ? 1 : 0;
            boolean alphaInThree = alpha && (record + "\n").contains("\ndepartmentNumber: 3\n");
            withInitials += ab ? 1 : 0;
            all += alphaInThree ? 1 : 0;
            both += ab && alphaInThree ? 1 : 0;
        }
        assertEquals("version, base entries and users", ENTRIES, users.entries());
        assertEquals(withInitials, users.withInitials("ab"));
        assertEquals(alphas, users.alpha());
        assertEquals(alphasAb, users.alpha("ab"));
        assertEquals(all, users.alphaInThree());
        assertEquals(both, users.alphaInThree("ab"));
        assertEquals("user.17", users.value(17, "uid"));
        assertThrows(IllegalArgumentException.class, () -> users.value(17, "title"));
    }
}
