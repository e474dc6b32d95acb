package org.alder.server.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.server.wire.HandedClient;

/**
 * What a member asks the leader (docs/format/member-questions.md; do not change without a new version). Immutable.
 *
 * @param from     who has sent the messages there
 * @param dn       whose partition it is about
 * @param messages LDAP messages: an update; or those of a transaction, and behind them the one that ends it
 */
record HandedRequest(HandedClient from, String dn, List<byte[]> messages) {
    static final int VERSION = 1;
    private static final int MOST_PORT = 65_535;

    byte[] encode() {
        BerWriter out = new BerWriter(256 + messages.stream().mapToInt(each -> each.length + Long.BYTES).sum());
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION);
        out.string(BerWriter.OCTET_STRING, dn);
        out.string(BerWriter.OCTET_STRING, from.member());
        out.octets(BerWriter.OCTET_STRING, from.address() == null ? new byte[0] : from.address().getAddress().getAddress());
        out.integer(BerWriter.INTEGER, from.address() == null ? 0 : from.address().getPort());
        out.string(BerWriter.OCTET_STRING, from.user());
        out.string(BerWriter.OCTET_STRING, Long.toString(from.uid()));
        out.string(BerWriter.OCTET_STRING, from.tls());
        out.integer(BerWriter.INTEGER, from.strength());
        out.bool(BerWriter.BOOLEAN, from.isProtected());
        out.bool(BerWriter.BOOLEAN, from.acceptsPasswords());
        out.string(BerWriter.OCTET_STRING, from.dn());
        out.bool(BerWriter.BOOLEAN, from.isAdministrator());
        out.bool(BerWriter.BOOLEAN, from.mustChangePassword());
        out.string(BerWriter.OCTET_STRING, from.mechanism());
        int all = out.begin(BerWriter.SEQUENCE);
        messages.forEach(each -> out.octets(BerWriter.OCTET_STRING, each));
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, or of another version */
    static HandedRequest decode(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(BerWriter.SEQUENCE);
        int version = in.readInt(BerWriter.INTEGER);
        if (version != VERSION) {
            throw new BerException("a handed request of version " + version + ", expected " + VERSION);
        }
        String dn = in.readString(BerWriter.OCTET_STRING);
        String member = in.readString(BerWriter.OCTET_STRING);
        InetSocketAddress address = address(in.readBytes(BerWriter.OCTET_STRING), in.readInt(BerWriter.INTEGER));
        String user = in.readString(BerWriter.OCTET_STRING);
        String uid = in.readString(BerWriter.OCTET_STRING);
        if (!uid.matches("-?[0-9]{1,18}")) {
            throw new BerException("the number of a user that is none");
        }
        HandedClient from = new HandedClient(member, address, user, Long.parseLong(uid), in.readString(BerWriter.OCTET_STRING), in.readInt(BerWriter.INTEGER),
                in.readBoolean(BerWriter.BOOLEAN), in.readBoolean(BerWriter.BOOLEAN), in.readString(BerWriter.OCTET_STRING),
                in.readBoolean(BerWriter.BOOLEAN), in.readBoolean(BerWriter.BOOLEAN), in.readString(BerWriter.OCTET_STRING));
        List<byte[]> messages = new ArrayList<>(1);
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            messages.add(in.readBytes(BerWriter.OCTET_STRING));
        }
        in.leave(all);
        in.leaveFully(outer);
        if (messages.isEmpty()) {
            throw new BerException("a handed request without a message");
        }
        return new HandedRequest(from, dn, messages);
    }

    private static InetSocketAddress address(byte[] address, int port) throws BerException {
        try {
            if (port < 0 || port > MOST_PORT) {
                throw new BerException("port " + port);
            }
            return address.length == 0 ? null : new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new BerException("an address of " + address.length + " bytes");
        }
    }
}
