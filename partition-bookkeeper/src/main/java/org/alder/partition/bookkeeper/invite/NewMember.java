package org.alder.partition.bookkeeper.invite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.ClusterKeys;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Newcomer;
import org.alder.partition.x509.CertifiedKey;

/**
 * What a new member gets, made of the file and the keys of another one: its cluster file, with a line for itself, and keys of its own. One thread.
 *
 * @param node   its line
 * @param before the line that it takes the place of; null for one more member
 */
record NewMember(Node node, Node before, MemberFiles files) {
    private static final int PORTS = 3;

    /**
     * @param other that of a member
     * @param keys  of the same member; null where members speak without TLS
     * @throws StoreException of kind REFUSED, saying why that one cannot be a member
     */
    static NewMember of(Path other, MemberKeys keys, Newcomer newcomer) throws IOException {
        if ((keys == null) != (newcomer.keys() == null)) {
            throw refused(keys == null ? other + " has no line tls:, so its members have no keys, and no folder of an authority is taken"
                    : other + " has a line tls:, so the folder is needed in which \"alder cluster keys\" has made the authority (--keys)");
        }
        if (!newcomer.host().matches("[!-~]{1,255}")) {
            throw refused("host \"" + newcomer.host() + "\": expected a name or an address, without spaces");
        }
        ClusterFile read = ClusterFile.read(other);
        Node before = read.members().stream().filter(each -> each.name().equals(newcomer.name())).findFirst().orElse(null);
        Node node = node(read, before, newcomer);
        requireFree(read, node);
        String text = text(Files.readString(other, StandardCharsets.UTF_8), node, before != null, keys != null);
        ClusterFile own = ClusterFile.parse(Path.of(MemberFiles.CLUSTER_FILE), text);
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(MemberFiles.CLUSTER_FILE, text.getBytes(StandardCharsets.UTF_8));
        if (keys != null) {
            CertifiedKey made = ClusterKeys.issue(own.own(), newcomer.keys(), keys.authorities());
            files.put(MemberFiles.KEYS + "/" + MemberKeys.MEMBER_FILE, (made.certificatePem() + made.keyPem()).getBytes(StandardCharsets.US_ASCII));
            files.put(MemberFiles.KEYS + "/" + MemberKeys.AUTHORITY_FILE, Files.readAllBytes(keys.folder().resolve(MemberKeys.AUTHORITY_FILE)));
            files.put(MemberFiles.KEYS + "/" + MemberKeys.PASSWORD_FILE, keys.ledgerPassword());
        }
        return new NewMember(own.own(), before, new MemberFiles(files));
    }

    /** What is left to do; null for nothing. */
    String advice() {
        if (before == null || before.zooKeeperPorts().isEmpty() || before.host().equals(node.host())) {
            return null;
        }
        return node.name() + " runs a ZooKeeper, and the files of the other members have host=" + before.host() + " in its line: write host=" + node.host() + " there, and start"
                + " these members again one after another, each when the one before is back, before the new machine is started";
    }

    private static StoreException refused(String why) {
        return new StoreException(StoreException.Kind.REFUSED, why);
    }

    private static Node node(ClusterFile file, Node before, Newcomer newcomer) {
        Node like = before != null ? before : file.members().stream().filter(each -> each.bookiePort() > 0).findFirst().orElse(null);
        List<Integer> ports = newcomer.ports();
        if (ports.isEmpty() && like == null) {
            throw refused("no member of the file has bookie=, so the ports of the new one have to be given (--ports)");
        } else if (ports.isEmpty()) {
            ports = List.of(like.bookiePort(), like.copyPort(), like.updatesPort());
        } else if (ports.size() != PORTS) {
            throw refused(ports.size() + " ports are given, expected " + PORTS + ": for the bookie, for copies, and for updates that others hand on");
        }
        return new Node(newcomer.name(), newcomer.url(), newcomer.host(), before == null ? List.of() : before.zooKeeperPorts(), ports.get(0), ports.get(1), ports.get(2));
    }

    private static void requireFree(ClusterFile file, Node node) {
        for (Node each : file.members()) {
            if (!each.name().equals(node.name()) && each.host().equals(node.host()) && ports(each).stream().anyMatch(ports(node)::contains)) {
                throw refused("host and ports are those of " + each.name() + " in the cluster file (" + each.line() + "): give other ports (--ports)");
            }
        }
    }

    private static List<Integer> ports(Node node) {
        List<Integer> ports = new ArrayList<>(node.zooKeeperPorts());
        ports.addAll(List.of(node.bookiePort(), node.copyPort(), node.updatesPort()));
        ports.removeIf(each -> each == 0);
        return ports;
    }

    /** That of another member, with the name, the line and the folder of keys of this one. */
    private static String text(String other, Node node, boolean isKnown, boolean hasKeys) {
        List<String> lines = new ArrayList<>();
        for (String line : other.split("\\R")) {
            String key = line.startsWith("#") || line.indexOf(':') < 0 ? "" : line.substring(0, line.indexOf(':')).strip();
            boolean isOwn = key.equals("member") && line.substring(line.indexOf(':') + 1).strip().split("\\s+")[0].equals(node.name());
            lines.add(key.equals("name") ? "name: " + node.name() : key.equals("tls") && hasKeys ? "tls: " + MemberFiles.KEYS : isOwn ? "member: " + node.line() : line);
        }
        if (!isKnown) {
            lines.add("member: " + node.line());
        }
        return String.join("\n", lines) + '\n';
    }
}
