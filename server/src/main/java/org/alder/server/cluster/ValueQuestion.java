package org.alder.server.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * What the leader of a shard asks those of others about values that must be unique, and their answer (docs/format/member-questions.md; do not change without a
 * new version). Immutable.
 *
 * @param shards the labels of the shards that are asked
 */
record ValueQuestion(List<String> shards, List<UniqueValue> values) {
    /** [APPLICATION 6], constructed. */
    static final int TAG = 0x66;
    private static final int VERSION = 1;
    private static final int MOST_SHARDS = 64;
    private static final int MOST_VALUES = 10_000;

    byte[] encode() {
        List<UniqueRule> rules = values.stream().map(UniqueValue::rule).distinct().toList();
        BerWriter out = new BerWriter(256);
        int outer = out.begin(TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        int all = out.begin(BerWriter.SEQUENCE);
        shards.forEach(each -> out.string(BerWriter.OCTET_STRING, each));
        out.end(all);
        all = out.begin(BerWriter.SEQUENCE);
        for (UniqueRule each : rules) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, each.base() == null ? "" : each.base().text());
            out.string(BerWriter.OCTET_STRING, each.filterText() == null ? "" : each.filterText());
            out.end(one);
        }
        out.end(all);
        all = out.begin(BerWriter.SEQUENCE);
        for (UniqueValue each : values) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, rules.indexOf(each.rule()));
            out.string(BerWriter.OCTET_STRING, each.type().oid());
            out.octets(BerWriter.OCTET_STRING, each.formBytes());
            out.octets(BerWriter.OCTET_STRING, each.movingBytes());
            out.end(one);
        }
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, of another version, or about what this member's schema does not know */
    static ValueQuestion decode(Schema schema, byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(TAG);
        int version = in.readInt(BerWriter.INTEGER);
        if (version != VERSION) {
            throw new BerException("a question about values of version " + version + ", expected " + VERSION);
        }
        List<String> shards = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            require(shards.size() < MOST_SHARDS, "more than " + MOST_SHARDS + " shards");
            shards.add(in.readString(BerWriter.OCTET_STRING));
        }
        in.leave(all);
        List<UniqueRule> rules = new ArrayList<>();
        all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            require(rules.size() < MOST_VALUES, "more than " + MOST_VALUES + " rules");
            rules.add(readRule(schema, in));
        }
        in.leave(all);
        List<UniqueValue> values = new ArrayList<>();
        all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            require(values.size() < MOST_VALUES, "more than " + MOST_VALUES + " values");
            values.add(readValue(schema, rules, in));
        }
        in.leave(all);
        in.leaveFully(outer);
        require(!in.hasMore(), "bytes behind its end");
        return new ValueQuestion(List.copyOf(shards), List.copyOf(values));
    }

    private static UniqueRule readRule(Schema schema, BerReader in) throws BerException {
        int one = in.enter(BerWriter.SEQUENCE);
        String base = in.readString(BerWriter.OCTET_STRING);
        String filter = in.readString(BerWriter.OCTET_STRING);
        in.leaveFully(one);
        try {
            return UniqueRule.of(schema, List.of(), base.isEmpty() ? null : Dn.parse(schema, base), filter.isEmpty() ? null : filter);
        } catch (DirectoryException e) {
            throw new BerException("a rule of \"" + base + "\" and " + filter + ": " + e.getMessage());
        }
    }

    private static UniqueValue readValue(Schema schema, List<UniqueRule> rules, BerReader in) throws BerException {
        int one = in.enter(BerWriter.SEQUENCE);
        int rule = in.readInt(BerWriter.INTEGER);
        String oid = in.readString(BerWriter.OCTET_STRING);
        ByteBuffer form = ByteBuffer.wrap(in.readBytes(BerWriter.OCTET_STRING));
        ByteBuffer moving = ByteBuffer.wrap(in.readBytes(BerWriter.OCTET_STRING));
        in.leaveFully(one);
        AttributeType type = schema.attributeType(oid);
        require(rule >= 0 && rule < rules.size(), "a value of rule " + rule + " of " + rules.size());
        require(type != null, "a value of " + oid + ", which the schema does not have");
        return new UniqueValue(rules.get(rule), type, form, moving);
    }

    private static void require(boolean is, String otherwise) throws BerException {
        if (!is) {
            throw new BerException(otherwise);
        }
    }

    /** An octet for each. */
    static byte[] encodeAnswer(List<UniqueValue.Use> uses) {
        byte[] answer = new byte[uses.size()];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = (byte) uses.get(i).ordinal();
        }
        return answer;
    }

    List<UniqueValue.Use> decodeAnswer(byte[] answer) throws BerException {
        require(answer.length == values.size(), "an answer of " + answer.length + " bytes to a question about " + values.size() + " values");
        List<UniqueValue.Use> uses = new ArrayList<>(answer.length);
        for (byte each : answer) {
            require(each >= 0 && each < UniqueValue.Use.values().length, "a use " + each);
            uses.add(UniqueValue.Use.values()[each]);
        }
        return uses;
    }
}
