package org.alder.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/**
 * The administrator's password: from --admin-password-file, else from the environment variable ALDER_ADMIN_PASSWORD, else from
 * DATA/admin.password, which the first start makes. There is no default password.
 *
 * @param file the file it is in, or null when it came from the environment
 */
record AdminPassword(String password, Path file) {
    private static final String VARIABLE = "ALDER_ADMIN_PASSWORD";
    private static final int RANDOM_BYTES = 18;

    static AdminPassword find(Path givenFile, Path data) throws IOException, CommandException {
        if (givenFile != null) {
            return read(givenFile);
        }
        String variable = System.getenv(VARIABLE);
        if (variable != null && !variable.isEmpty()) {
            return new AdminPassword(variable, null);
        }
        Path file = data.resolve("admin.password");
        return Files.exists(file) ? read(file) : make(file);
    }

    private static AdminPassword read(Path file) throws CommandException {
        String password;
        try {
            password = Files.readString(file).stripTrailing();
        } catch (IOException e) {
            throw new CommandException("cannot read the administrator's password from " + file + ": " + Faults.describe(e), e);
        }
        if (password.isEmpty()) {
            throw new CommandException(file + " is empty, expected the administrator's password");
        }
        return new AdminPassword(password, file);
    }

    /** Without a line end, because {@code ldapsearch -y} takes the whole file as the password. */
    private static AdminPassword make(Path file) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
        FileAttribute<?>[] attributes = file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(ownerOnly)} : new FileAttribute<?>[0];
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.createFile(file, attributes);
        Files.write(file, password.getBytes(StandardCharsets.UTF_8), StandardOpenOption.TRUNCATE_EXISTING);
        System.err.println("alder: made a password for the administrator: " + file);
        return new AdminPassword(password, file);
    }
}
