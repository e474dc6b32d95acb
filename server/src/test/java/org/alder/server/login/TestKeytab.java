package org.alder.server.login;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A keytab of one key of AES-256, as MIT's tools write it (its format 2). */
public final class TestKeytab {
    private static final int AES_256 = 18;
    private static final int KEY_BYTES = 32;
    private static final int SERVICE_NAME = 2;

    private TestKeytab() {
    }

    /** @param name such as ldap/localhost */
    public static Path write(Path file, String name, String realm) throws IOException {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(entry);
        String[] parts = name.split("/");
        out.writeShort(parts.length);
        text(out, realm);
        for (String part : parts) {
            text(out, part);
        }
        out.writeInt(SERVICE_NAME);
        out.writeInt(0);
        out.writeByte(1);
        out.writeShort(AES_256);
        out.writeShort(KEY_BYTES);
        out.write(new byte[KEY_BYTES]);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream all = new DataOutputStream(whole);
        all.writeShort(0x0502);
        all.writeInt(entry.size());
        all.write(entry.toByteArray());
        return Files.write(file, whole.toByteArray());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }
}
