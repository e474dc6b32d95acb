package org.alder.server.clients;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 389 Directory Server in a folder, as its package's template sets it up, with content synchronization and the log of changes that this
 * needs. It can be started and stopped any number of times.
 */
final class NetscapeServer {
    static final String MANAGER = "cn=Directory Manager";
    static final String PASSWORD = "directory-manager";
    private static final String PROGRAM = "/usr/sbin/ns-slapd";
    private static final Path TEMPLATE = Path.of("/usr/share/dirsrv/data/template-dse.ldif");
    private static final List<String> FOLDERS = List.of("config", "config/schema", "lock", "tmp", "cert", "ldif", "bak", "run", "inst", "log", "db", "db_home");

    private final Path home;
    private final Background.Address address;

    private NetscapeServer(Path home, Background.Address address) {
        this.home = home;
        this.address = address;
    }

    static void require() {
        Program.assumePossible(Program.isOnPath(PROGRAM) && Files.isReadable(TEMPLATE), "389 Directory Server is not installed");
    }

    /** @param home an empty folder */
    static NetscapeServer in(Path home) throws IOException {
        NetscapeServer server = new NetscapeServer(home, Background.freeAddress());
        for (String folder : FOLDERS) {
            Files.createDirectory(home.resolve(folder));
        }
        Files.writeString(home.resolve("config/schema/99user.ldif"), "dn: cn=schema\n");
        Files.writeString(home.resolve("config/dse.ldif"), server.configuration());
        return server;
    }

    Background.Address address() {
        return address;
    }

    private String configuration() throws IOException {
        Map<String, String> words = Map.of("fqdn", "localhost.localdomain", "ds_port", Integer.toString(address.port()), "ds_user", System.getProperty("user.name"),
                "rootdn", MANAGER, "ds_passwd", hashed(), "ldapi_enabled", "off", "ldapi_autobind", "off", "db_lib", "bdb", "ds_suffix", "dc=none",
                "schema_dir", home.resolve("config/schema").toString());
        Matcher word = Pattern.compile("%(\\w+)%").matcher(Files.readString(TEMPLATE));
        String filled = word.replaceAll(each -> Matcher.quoteReplacement(words.getOrDefault(each.group(1), home.resolve(each.group(1).replaceAll("_dir$", "")).toString())));
        return switchedOn(switchedOn(filled, "Retro Changelog Plugin", "\nnsslapd-attribute: nsuniqueid:targetUniqueId"), "Content Synchronization", "")
                .replaceFirst("(?m)^nsslapd-rootdn:", "nsslapd-listenhost: " + address.host() + "\nnsslapd-rootpwstoragescheme: SSHA\nnsslapd-rootdn:");
    }

    private static String switchedOn(String configuration, String plugin, String more) {
        return configuration.replaceFirst("(?s)(dn: cn=" + plugin + ",.*?nsslapd-pluginenabled: )off", "$1on" + more);
    }

    private static String hashed() {
        try {
            byte[] salt = "saltsalt".getBytes(StandardCharsets.US_ASCII);
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(PASSWORD.getBytes(StandardCharsets.US_ASCII));
            byte[] digest = sha1.digest(salt);
            byte[] stored = new byte[digest.length + salt.length];
            System.arraycopy(digest, 0, stored, 0, digest.length);
            System.arraycopy(salt, 0, stored, digest.length, salt.length);
            return "{SSHA}" + Base64.getEncoder().encodeToString(stored);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Until it is closed; it listens. */
    Background start() throws Exception {
        Background running = new Background(List.of(PROGRAM, "-D", home.resolve("config").toString(), "-i", home.resolve("run/pid").toString(), "-d", "0"),
                home.resolve("output"));
        return running.awaitListening(address);
    }

    LDAPConnection manager() throws LDAPException {
        return new LDAPConnection(address.host(), address.port(), MANAGER, PASSWORD);
    }

    /** Makes a backend, and the entry of its suffix. */
    void addSuffix(LDAPConnection manager, String name, String suffix, Attribute... attributes) throws LDAPException {
        manager.add("cn=" + name + ",cn=ldbm database,cn=plugins,cn=config", new Attribute("objectClass", "top", "extensibleObject", "nsBackendInstance"),
                new Attribute("cn", name), new Attribute("nsslapd-suffix", suffix));
        manager.add("cn=\"" + suffix + "\",cn=mapping tree,cn=config", new Attribute("objectClass", "top", "extensibleObject", "nsMappingTree"),
                new Attribute("cn", suffix), new Attribute("nsslapd-state", "backend"), new Attribute("nsslapd-backend", name));
        manager.add(suffix, attributes);
    }
}
