package org.alder.server.cli.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.file.Folders;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.Faults;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.SecretReference;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;

/**
 * The administrator's password: from --admin-password-file, else from where the configuration says, else from the environment variable
 * ALDER_ADMIN_PASSWORD, else from DATA/admin.password, which the first start makes, whole and durably or not at all. There is no
 * default password.
 *
 * @param password null if nobody is to log in with one
 * @param file the file it is in; null for none
 * @param variable that of the environment which it is in; null for none
 */
public record AdminPassword(String password, Path file, String variable) {
    private static final String VARIABLE = "ALDER_ADMIN_PASSWORD";
    private static final int RANDOM_BYTES = 18;
    private static final int MAX_BYTES = 4096;

    /** @param file  the one of the data folder  @param files replaces a file by one that only its owner reads */
    public static AdminPassword find(Path givenFile, Path file, FileReplacement files) throws IOException, CommandException {
        AdminPassword known = known(givenFile, file);
        return known == null ? make(file, files) : known;
    }

    /** @param file  the one of the data folder  @return null if there is none yet */
    static AdminPassword known(Path givenFile, Path file) throws CommandException {
        if (givenFile != null) {
            return read(givenFile, "write the password into it, as one line of text");
        }
        String variable = System.getenv(VARIABLE);
        if (variable != null && !variable.isEmpty()) {
            return new AdminPassword(usable(variable, VARIABLE, "set it to another one"), null, VARIABLE);
        }
        return Files.exists(file) ? read(file, "delete it, and the next start makes a new one, or write a password into it") : null;
    }

    /**
     * From where the configuration says.
     *
     * @throws ConfigurationException naming file, line and key, if there is none that can be used
     */
    public static AdminPassword configured(ServerConfiguration configuration) throws ConfigurationException {
        SecretReference reference = configuration.get(ServerKeys.ADMINISTRATOR_PASSWORD);
        try {
            return switch (reference.kind()) {
                case NONE -> new AdminPassword(null, null, null);
                case FILE -> read(configuration.settings().path(reference.name()), "write the password into it, as one line of text");
                case ENVIRONMENT -> {
                    String value = System.getenv(reference.name());
                    yield new AdminPassword(usable(value == null ? "" : value, reference.name(), "set it to one"), null, reference.name());
                }
            };
        } catch (CommandException e) {
            throw configuration.settings().fault(ServerKeys.ADMINISTRATOR_PASSWORD, e.getMessage());
        }
    }

    public byte[] bytes() {
        return password == null ? null : password.getBytes(StandardCharsets.UTF_8);
    }

    private static AdminPassword read(Path file, String cure) throws CommandException {
        try {
            if (Files.isRegularFile(file) && Files.size(file) > MAX_BYTES) {
                throw new CommandException(file + " has " + Files.size(file) + " bytes, expected a password, at most " + MAX_BYTES + ": " + cure);
            }
            byte[] bytes = Files.readAllBytes(file);
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new AdminPassword(usable(text.stripTrailing(), file.toString(), cure), file, null);
        } catch (CharacterCodingException e) {
            throw new CommandException(file + " is not UTF-8 text, expected a password: " + cure, e);
        } catch (IOException e) {
            throw new CommandException("cannot read the password from " + file + ": " + Faults.describe(e), e);
        }
    }

    /** What a power failure or a wrong file leaves is no password: NUL bytes can be guessed. */
    private static String usable(String password, String where, String cure) throws CommandException {
        if (password.isEmpty()) {
            throw new CommandException(where + " is empty, expected a password: " + cure);
        }
        int control = password.chars().filter(Character::isISOControl).findFirst().orElse(-1);
        if (control >= 0) {
            throw new CommandException(String.format(Locale.ROOT, "%s holds the control character U+%04X, which cannot be part of a"
                    + " password: %s", where, control, cure));
        }
        return password;
    }

    /** Without a line end, because {@code ldapsearch -y} takes the whole file as the password. */
    private static AdminPassword make(Path file, FileReplacement files) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Folders.create(file.toAbsolutePath().getParent());
        files.replace(file, password.getBytes(StandardCharsets.UTF_8));
        System.err.println("alder: made a password for the administrator: " + file);
        return new AdminPassword(password, file, null);
    }
}
