package org.alder.partition.schema;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.DefinitionKind;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class OnlineSchemaFileTest {
    private static final String TYPE = "( 1.2.3.1 NAME 'boxName' SUP name )";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private Path file;
    private byte[] whole;

    @Before
    public void write() throws IOException, DirectoryException {
        file = folder.getRoot().toPath().resolve("schema.ldif");
        SchemaEdit edit = Schema.load(List.of()).edit();
        edit.add(DefinitionKind.ATTRIBUTE_TYPE, TYPE);
        whole = edit.revise().onlineFile();
        Files.write(file, whole);
    }

    private StoreException refused(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        StoreException e = assertThrows(StoreException.class, () -> Schema.load(List.of(), file));
        assertTrue(e.getMessage(), e.getMessage().startsWith(file + ", line "));
        return e;
    }

    @Test
    public void whatIsWrittenIsRead() {
        Schema schema = Schema.load(List.of(), file);
        assertNotNull(schema.attributeType("boxName"));
        assertEquals(new String(whole, StandardCharsets.UTF_8), new String(revised(schema), StandardCharsets.UTF_8));
    }

    private static byte[] revised(Schema schema) {
        try {
            return schema.edit().revise().onlineFileBefore();
        } catch (DirectoryException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void everyFlippedByteAndEveryTruncationIsRefused() throws IOException {
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            assertEquals(StoreException.Kind.CORRUPT, refused(damaged).kind());
            assertEquals(StoreException.Kind.CORRUPT, refused(Arrays.copyOf(whole, i)).kind());
        }
        assertEquals(StoreException.Kind.CORRUPT, refused(Arrays.copyOf(whole, whole.length + 1)).kind());
    }

    @Test
    public void theMessageSaysWhereAndWhatIsExpected() throws IOException {
        String text = new String(whole, StandardCharsets.UTF_8);
        assertTrue(refused("dn: cn=schema\n".getBytes(StandardCharsets.UTF_8)).getMessage().contains("alder-schema 1"));
        assertTrue(refused(text.replace("alder-schema 1", "alder-schema 2").getBytes(StandardCharsets.UTF_8)).getMessage()
                .contains("line 1: \"# alder-schema 1:\" expected"));
        String message = refused(text.replace("boxName", "tinName").getBytes(StandardCharsets.UTF_8)).getMessage();
        Matcher expected = Pattern.compile("line 4: \"(# crc32c [0-9a-f]{8})\" expected").matcher(message);
        assertTrue(message, expected.find());
        Files.writeString(file, text.replace("boxName", "tinName").replaceFirst("# crc32c .*", expected.group(1)));
        assertNotNull("changed by hand, with the line as the message says",
                Schema.load(List.of(), file).attributeType("tinName"));
    }

    @Test
    public void aWrongDefinitionIsNamedWithItsLine() throws IOException {
        String text = new String(whole, StandardCharsets.UTF_8).replace("SUP name", "SUP nothing");
        Matcher expected = Pattern.compile("# crc32c [0-9a-f]{8}")
                .matcher(refused(text.getBytes(StandardCharsets.UTF_8)).getMessage());
        assertTrue(expected.find());
        String message = refused(text.replaceFirst("# crc32c .*", expected.group()).getBytes(StandardCharsets.UTF_8))
                .getMessage();
        assertTrue(message, message.startsWith(file + ", line 3: the attribute type nothing is not defined"));
    }
}
