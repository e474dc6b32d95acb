package org.alder.perf.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A 389 Directory Server of this machine, as its package installs it and its template sets it up, in folders of the benchmark. Immutable.
 *
 * @param program  the server, which also loads ({@code ldif2db})
 * @param template its configuration, with words to be filled in
 */
public record NetscapeServer(Path program, Path template) implements Peer {
    private static final String ADMINISTRATOR = "cn=Directory Manager";
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String BACKEND = "cn=userRoot,cn=ldbm database,cn=plugins,cn=config";
    private static final List<String> FOLDERS = List.of("config/schema", "lock", "tmp", "cert", "ldif", "bak", "run", "inst", "log", "db", "db_home");
    private static final String MESSAGES = "ns-slapd.out";
    private static final Pattern WORD = Pattern.compile("%(\\w+)%");
    private static final Pattern VERSION = Pattern.compile("389-Directory/(\\S+)");
    /** Without it nobody reads anything. */
    private static final String ACCESS = "aci: (targetattr != \"userPassword\")(version 3.0; acl \"read\"; allow (read, search, compare) userdn = \"ldap:///anyone\";)";

    /** Empty if it is not where its package puts it. */
    public static Optional<NetscapeServer> installed() {
        NetscapeServer server = new NetscapeServer(Path.of("/usr/sbin/ns-slapd"), Path.of("/usr/share/dirsrv/data/template-dse.ldif"));
        return Files.isExecutable(server.program) && Files.isReadable(server.template) ? Optional.of(server) : Optional.empty();
    }

    @Override
    public String name() {
        return "389 DS";
    }

    @Override
    public String version() throws IOException {
        return Peer.version(new ProcessBuilder(program.toString(), "-v"), VERSION);
    }

    @Override
    public String administrator() {
        return ADMINISTRATOR;
    }

    @Override
    public String setUp() {
        return "389 DS is as its template has it, with BDB, without an access log and without limits on searches and on the IDs of one value.";
    }

    @Override
    public ProcessRun load(Path folder, Path ldif, long entries) throws IOException, InterruptedException {
        for (String each : FOLDERS) {
            Files.createDirectories(folder.resolve(each));
        }
        Files.writeString(folder.resolve("config/schema/99user.ldif"), "dn: cn=schema\n");
        Files.writeString(folder.resolve("config/dse.ldif"), configuration(folder).text());
        // It makes the folder of its database when it is started the first time, and cannot load without that.
        serve(folder).close();
        Path readable = folder.resolve("readable.ldif");
        copyWithAccess(ldif, readable);
        ProcessRun run = ProcessRun.of(program + " ldif2db -i " + readable, new ProcessBuilder(program.toString(), "ldif2db", "-D",
                folder.resolve("config").toString(), "-n", "userRoot", "-i", readable.toAbsolutePath().toString()), folder.resolve("ldif2db.out"));
        Files.delete(readable);
        return run;
    }

    private static void copyWithAccess(Path ldif, Path copy) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(ldif); BufferedWriter out = Files.newBufferedWriter(copy)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.append(line).append('\n').append(line.equals("dn: " + SUFFIX) ? ACCESS + '\n' : "");
            }
        }
    }

    @Override
    public Path database(Path folder) {
        return folder.resolve("db");
    }

    @Override
    public PeerProcess serve(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("config/dse.ldif");
        int port = FreePorts.find(1).get(0);
        Files.writeString(file, new ConfigurationText(Files.readString(file)).with("cn=config", "nsslapd-port: " + port).text());
        return PeerProcess.start(new ProcessBuilder(program.toString(), "-D", folder.resolve("config").toString(), "-i", folder.resolve("run/pid").toString(),
                "-d", "0"), folder.resolve(MESSAGES), port, 0);
    }

    private ConfigurationText configuration(Path folder) throws IOException {
        Map<String, String> words = Map.ofEntries(Map.entry("fqdn", "localhost.localdomain"), Map.entry("ds_port", "389"),
                Map.entry("ds_user", System.getProperty("user.name")), Map.entry("rootdn", ADMINISTRATOR), Map.entry("ds_passwd", PASSWORD),
                Map.entry("ldapi_enabled", "off"), Map.entry("ldapi_autobind", "off"), Map.entry("db_lib", "bdb"), Map.entry("ds_suffix", "dc=none"),
                Map.entry("schema_dir", folder.resolve("config/schema").toString()));
        String filled = WORD.matcher(Files.readString(template)).replaceAll(each -> Matcher.quoteReplacement(
                words.getOrDefault(each.group(1), folder.resolve(each.group(1).replaceAll("_dir$", "")).toString())));
        ConfigurationText text = new ConfigurationText(filled).without("cn=[^,\\n]*,cn=default indexes(?:(?!\\n\\n).)*?nsSystemIndex: false")
                .with("cn=config", "nsslapd-listenhost: 127.0.0.1", "nsslapd-rootpwstoragescheme: CLEAR", "passwordStorageScheme: CLEAR", "nsslapd-sizelimit: -1",
                        "nsslapd-timelimit: -1", "nsslapd-accesslog-logging-enabled: off")
                .with("cn=config,cn=ldbm database,cn=plugins,cn=config", "nsslapd-lookthroughlimit: -1", "nsslapd-idlistscanlimit: " + (Integer.MAX_VALUE - 1))
                .and(List.of("dn: " + BACKEND, "objectClass: top", "objectClass: extensibleObject", "objectClass: nsBackendInstance", "cn: userRoot",
                        "nsslapd-suffix: " + SUFFIX))
                .and(List.of("dn: cn=index," + BACKEND, "objectClass: top", "objectClass: extensibleObject", "cn: index"))
                .and(List.of("dn: cn=\"" + SUFFIX + "\",cn=mapping tree,cn=config", "objectClass: top", "objectClass: extensibleObject",
                        "objectClass: nsMappingTree", "cn: \"" + SUFFIX + '"', "nsslapd-state: backend", "nsslapd-backend: userRoot"));
        for (String attribute : BenchmarkIndexes.EQUALITY) {
            List<String> index = new ArrayList<>(List.of("dn: cn=" + attribute + ",cn=index," + BACKEND, "objectClass: top", "objectClass: nsIndex",
                    "cn: " + attribute, "nsSystemIndex: false", "nsIndexType: eq"));
            if (BenchmarkIndexes.SUBSTRING.contains(attribute)) {
                index.add("nsIndexType: sub");
            }
            text = text.and(index);
        }
        return text;
    }
}
