package org.alder.partition.bookkeeper.member;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.error.StoreException;

/**
 * The file that says which cluster a server is a member of (docs/cluster.md): lines {@code key: value}, and those that begin with #, which
 * say nothing. Immutable.
 *
 * @param name      of this member
 * @param zooKeeper addresses of servers that are there without Alder, {@code host:port} with commas between; null where members run it
 * @param members   all of them, on each machine in the same order
 * @param updates   what becomes of updates on a replica
 * @param keys      the folder of the member's keys, see {@link MemberKeys}; null where members speak without TLS
 * @param copyBytesPerSecond how fast this member gives copies of its stores to others, all of them together
 * @param compareMinutes so long after one comparison of the members the next one begins; 0 only when it is asked for
 * @param compareBytesPerSecond how fast this member reads what is compared, of all partitions together
 * @param spreadMinutes so long after members have come to lead shards unevenly leaders hand over; 0 never by themselves
 */
public record ClusterFile(String name, String zooKeeper, List<Node> members, Updates updates, Path keys, long copyBytesPerSecond, long compareMinutes,
        long compareBytesPerSecond, long spreadMinutes) {
    private static final String EMBEDDED = "embedded";
    private static final Set<String> KEYS = Set.of("name", "zookeeper", "member", "updates", "tls", "insecure", "copy-mib-per-second",
            "compare-minutes", "compare-mib-per-second", "spread-leaders-minutes");
    private static final Set<String> OPTIONS = Set.of("url", "host", "zookeeper", "bookie", "copy", "updates");
    private static final String MEMBER = "NAME url=ldap://HOST:PORT host=HOST zookeeper=PORT,PORT,PORT bookie=PORT copy=PORT updates=PORT";
    private static final int MOST_BYTES = 64 << 10;
    private static final int MOST_PORT = 65_535;
    private static final int ZOOKEEPER_PORTS = 3;
    private static final String COPY_MIB_PER_SECOND = "64";
    private static final String COMPARE_MINUTES = "60";
    private static final String COMPARE_MIB_PER_SECOND = "8";
    private static final String SPREAD_MINUTES = "5";

    /**
     * A line {@code member}.
     *
     * @param url            where it answers clients
     * @param host           what its ZooKeeper and its bookie listen on
     * @param zooKeeperPorts for clients, for followers, for elections; empty where it runs none
     * @param bookiePort     0 where it runs none
     * @param copyPort       where it gives copies of its stores to other members; 0 where it gives none
     * @param updatesPort    where it takes updates that other members hand on; 0 where it takes none
     */
    public record Node(String name, String url, String host, List<Integer> zooKeeperPorts, int bookiePort, int copyPort, int updatesPort) {
        /** What stands behind {@code member:}. */
        public String line() {
            String zooKeeper = zooKeeperPorts.stream().map(String::valueOf).collect(Collectors.joining(","));
            return name + " url=" + url + " host=" + host + (zooKeeper.isEmpty() ? "" : " zookeeper=" + zooKeeper) + port("bookie", bookiePort)
                    + port("copy", copyPort) + port("updates", updatesPort);
        }

        private static String port(String option, int port) {
            return port == 0 ? "" : " " + option + "=" + port;
        }
    }

    /** What becomes of updates on a replica. */
    public enum Updates {
        /** They are handed on to the leader; clients are referred to one that takes none from other members. */
        FORWARD,
        /** Clients are referred to the leader. */
        REFER,
        /** They are unavailable. */
        UNAVAILABLE
    }

    /** What ZooKeeper's clients connect to. */
    public String zooKeeperAddresses() {
        return zooKeeper != null ? zooKeeper : String.join(",", zooKeeperOfEach().values());
    }

    /** Where clients find the ZooKeeper of each member that runs one, by the names of the members, in their order. */
    public Map<String, String> zooKeeperOfEach() {
        Map<String, String> addresses = new LinkedHashMap<>();
        members.stream().filter(member -> !member.zooKeeperPorts.isEmpty()).forEach(member -> addresses.put(member.name, member.host + ":" + member.zooKeeperPorts.get(0)));
        return addresses;
    }

    public Node own() {
        return members.stream().filter(member -> member.name.equals(name)).findFirst().orElseThrow();
    }

    /** @throws StoreException of kind REFUSED, naming the file and, where there is one, the line */
    public static ClusterFile read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no cluster file of at most " + MOST_BYTES / 1024 + " KiB at " + file);
        }
        return parse(file, Files.readString(file, StandardCharsets.UTF_8));
    }

    /** What stands behind {@code member:}. @param where it stands @throws StoreException as {@link #read} */
    public static Node node(Path where, String text) {
        return new Reader(where).member(text);
    }

    /** What a file has, or is to have. @throws StoreException as {@link #read} */
    public static ClusterFile parse(Path file, String text) {
        return new Reader(file).read(text.split("\\R"));
    }

    /** Of one file. */
    private static final class Reader {
        private final Path file;
        private final Map<String, String> values = new LinkedHashMap<>();
        private final List<Node> members = new ArrayList<>();
        private int line;

        Reader(Path file) {
            this.file = file;
        }

        public ClusterFile read(String[] lines) {
            for (String text : lines) {
                line++;
                if (!text.isBlank() && !text.startsWith("#")) {
                    take(text);
                }
            }
            line = 0;
            String zooKeeper = value("zookeeper", EMBEDDED);
            ClusterFile read = new ClusterFile(value("name", null), zooKeeper.equals(EMBEDDED) ? null : zooKeeper, List.copyOf(members),
                    updates(), keys(),
                    number("copy-mib-per-second", COPY_MIB_PER_SECOND, 1) << 20,
                    number("compare-minutes", COMPARE_MINUTES, 0), number("compare-mib-per-second", COMPARE_MIB_PER_SECOND, 1) << 20,
                    number("spread-leaders-minutes", SPREAD_MINUTES, 0));
            check(read);
            return read;
        }

        private StoreException fault(String what) {
            return new StoreException(StoreException.Kind.REFUSED, file + (line == 0 ? "" : ", line " + line) + ": " + what);
        }

        private void take(String text) {
            int colon = text.indexOf(':');
            String key = colon < 0 ? text : text.substring(0, colon).strip();
            if (colon < 0 || !KEYS.contains(key)) {
                throw fault("\"" + text + "\" is not KEY: VALUE with one of the keys name, zookeeper, member, updates, tls, insecure, "
                        + "copy-mib-per-second, compare-minutes, compare-mib-per-second and spread-leaders-minutes");
            }
            String value = text.substring(colon + 1).strip();
            if (key.equals("member")) {
                members.add(member(value));
            } else if (value.isEmpty() || values.put(key, value) != null) {
                throw fault("a second " + key + ", or one without a value: expected one");
            }
        }

        private String value(String key, String otherwise) {
            String value = values.getOrDefault(key, otherwise);
            if (value == null) {
                throw fault("there is no line \"" + key + ": ...\"");
            }
            return value;
        }

        /** Relative to where the file is. */
        private Path keys() {
            String folder = values.get("tls");
            try {
                return folder == null ? null : file.toAbsolutePath().getParent().resolve(folder).normalize();
            } catch (InvalidPathException e) {
                throw fault("tls: \"" + folder + "\" is no path of a folder");
            }
        }

        private Updates updates() {
            String value = value("updates", "forward");
            for (Updates each : Updates.values()) {
                if (value.equals(each.name().toLowerCase(Locale.ROOT))) {
                    return each;
                }
            }
            throw fault("updates: \"" + value + "\", expected forward, refer or unavailable");
        }

        private String oneOf(String key, String first, String second) {
            String value = value(key, first);
            if (!value.equals(first) && !value.equals(second)) {
                throw fault(key + ": \"" + value + "\", expected " + first + " or " + second);
            }
            return value;
        }

        private long number(String key, String otherwise, int least) {
            String value = value(key, otherwise);
            if (!value.matches("0|[1-9][0-9]{0,4}") || Long.parseLong(value) < least) {
                throw fault(key + ": \"" + value + "\", expected a number from " + least + " to 99999");
            }
            return Long.parseLong(value);
        }

        private Node member(String value) {
            String[] words = value.split("\\s+");
            Map<String, String> options = new LinkedHashMap<>();
            for (String word : Arrays.asList(words).subList(1, words.length)) {
                int equals = word.indexOf('=');
                String option = equals < 0 ? word : word.substring(0, equals);
                if (equals < 0 || !OPTIONS.contains(option) || options.put(option, word.substring(equals + 1)) != null) {
                    throw fault("\"" + word + "\" in a member's line, expected " + MEMBER);
                }
            }
            if (!words[0].matches("[A-Za-z0-9-]{1,32}") || !options.containsKey("host")
                    || !options.getOrDefault("url", "").matches("ldaps?://[!-~]{1,200}")) {
                throw fault("member: \"" + value + "\", expected " + MEMBER + ", with a name of at most 32 letters, digits and hyphens");
            }
            List<Integer> ports = ports(options.get("zookeeper"));
            List<Integer> bookie = ports(options.get("bookie"));
            List<Integer> copy = ports(options.get("copy"));
            List<Integer> updates = ports(options.get("updates"));
            if (!ports.isEmpty() && ports.size() != ZOOKEEPER_PORTS || bookie.size() > 1 || copy.size() > 1 || updates.size() > 1) {
                throw fault("zookeeper= takes three ports, for clients, followers and elections, bookie=, copy= and updates= one: " + value);
            }
            return new Node(words[0], options.get("url"), options.get("host"), ports, bookie.isEmpty() ? 0 : bookie.get(0),
                    copy.isEmpty() ? 0 : copy.get(0), updates.isEmpty() ? 0 : updates.get(0));
        }

        private List<Integer> ports(String text) {
            List<Integer> ports = new ArrayList<>();
            for (String port : text == null ? new String[0] : text.split(",", -1)) {
                if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > MOST_PORT) {
                    throw fault("\"" + port + "\" is no port from 1 to " + MOST_PORT);
                }
                ports.add(Integer.parseInt(port));
            }
            return ports;
        }

        private void check(ClusterFile read) {
            List<String> names = read.members.stream().map(Node::name).toList();
            if (!names.contains(read.name) || names.stream().distinct().count() < names.size()) {
                throw fault("name: \"" + read.name + "\" is to be that of one of the members, whose names differ; they are " + names);
            }
            if (read.zooKeeperAddresses().isEmpty()) {
                throw fault("zookeeper is embedded, and no member has zookeeper=PORT,PORT,PORT");
            }
            read.members.stream().filter(each -> !each.zooKeeperPorts.isEmpty() && each.bookiePort == 0 && each.copyPort == 0).findFirst().ifPresent(each -> {
                throw fault(each.name + " has zookeeper=, but neither bookie= nor copy=, where others could ask it whether it has data");
            });
            boolean isInsecure = oneOf("insecure", "false", "true").equals("true");
            if (isInsecure && read.keys != null) {
                throw fault("there are both tls: and insecure: true, expected one of the two");
            } else if (isInsecure || read.keys != null) {
                return;
            }
            read.members.stream().filter(each -> each.copyPort > 0 && !isLoopback(each.host)).findFirst().ifPresent(each -> {
                throw fault("copy= of " + each.name + ": " + each.host + " is not an address of this machine alone, and whoever reaches the port where "
                        + "copies are given can read everything. Where nobody else can reach it, write the line \"insecure: true\"");
            });
            read.members.stream().filter(each -> each.updatesPort > 0 && !isLoopback(each.host)).findFirst().ifPresent(each -> {
                throw fault("updates= of " + each.name + ": " + each.host + " is not an address of this machine alone, and without a line \"tls: FOLDER\" "
                        + "whoever reaches the port where updates are handed on can change everything, in anybody's name");
            });
            for (String host : hosts(read)) {
                if (!isLoopback(host)) {
                    throw fault(host + " is not an address of this machine alone, and without a line \"tls: FOLDER\" whoever reaches the ports of "
                            + "members can read and change everything; \"alder cluster keys\" makes such folders. Where nobody else can reach them, "
                            + "the line \"insecure: true\" does, too");
                }
            }
        }

        private static List<String> hosts(ClusterFile read) {
            List<String> hosts = new ArrayList<>(read.members.stream().map(Node::host).toList());
            if (read.zooKeeper != null) {
                Arrays.stream(read.zooKeeper.split(",")).map(address -> address.replaceAll(":[0-9]+$", "")).forEach(hosts::add);
            }
            return hosts;
        }

        /** Of a name, whether all of its addresses are. */
        private static boolean isLoopback(String host) {
            try {
                return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
            } catch (UnknownHostException e) {
                return false;
            }
        }
    }
}
