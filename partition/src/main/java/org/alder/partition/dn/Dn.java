package org.alder.partition.dn;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.entry.DnForm;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.NameParser;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;

/** A distinguished name (RFC 4514). Immutable, thread safe; equal if the normal forms are. */
public final class Dn {
    /** The zero-length DN. */
    public static final Dn ROOT = new Dn(List.of(), "");

    private final List<Rdn> rdns;
    private String text;
    /** Threads may make it at the same time; whoever sees the object sees its bytes, because it is immutable. */
    private Octets normalized;

    /** @param text null where it is the RDNs' texts joined by commas */
    private Dn(List<Rdn> rdns, String text) {
        this.rdns = rdns;
        this.text = text;
    }

    /** @throws DirectoryException invalidDNSyntax; the message names the offset */
    public static Dn parse(Schema schema, String text) throws DirectoryException {
        Rdn.Collector collector = new Rdn.Collector(text);
        NameParser.parseDn(schema, text, collector);
        return collector.rdns.isEmpty() ? ROOT : new Dn(List.copyOf(collector.rdns), text);
    }

    /** The same of octets as they were sent. @throws DirectoryException invalidDNSyntax, also for what is not UTF-8 */
    public static Dn parse(Schema schema, byte[] utf8) throws DirectoryException {
        return parse(schema, text(utf8));
    }

    /** The text of a name, or of something that holds one. @throws DirectoryException invalidDNSyntax if it is not UTF-8 */
    public static String text(byte[] utf8) throws DirectoryException {
        try {
            return Utf8.decode(utf8);
        } catch (CharacterCodingException e) {
            throw new DirectoryException(ResultCode.INVALID_DN_SYNTAX, "the name \"" + Utf8.shown(utf8)
                    + "\" has bytes that are not UTF-8");
        }
    }

    /** The name of an entry that is there. @throws StoreException CORRUPT if it is none */
    public static Dn stored(Schema schema, String text) {
        try {
            return parse(schema, text);
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry with the DN \"" + text + "\", which is none: "
                    + e.getMessage(), e);
        }
    }

    private static Dn of(List<Rdn> rdns) {
        return rdns.isEmpty() ? ROOT : new Dn(List.copyOf(rdns), null);
    }

    /** As it was spelt; where this DN was made from others, their RDNs as spelt, joined by commas. */
    public String text() {
        String known = text;
        if (known == null) {
            known = String.join(",", rdns.stream().map(Rdn::text).toList());
            text = known;
        }
        return known;
    }

    /** The text for a line of a report: control characters are escaped (RFC 4514 2.4). */
    public String line() {
        StringBuilder line = new StringBuilder();
        text().chars().forEach(c -> line.append(Character.isISOControl(c) ? escaped(c) : Character.toString((char) c)));
        return line.toString();
    }

    private static String escaped(int character) {
        byte[] octets = Character.toString(character).getBytes(StandardCharsets.UTF_8);
        return "\\" + HexFormat.ofDelimiter("\\").formatHex(octets);
    }

    /** The number of RDNs. */
    public int size() {
        return rdns.size();
    }

    public boolean isRoot() {
        return rdns.isEmpty();
    }

    /** The leaf's RDN. @throws IndexOutOfBoundsException if this is the root */
    public Rdn rdn() {
        return rdn(0);
    }

    /**
     * One RDN.
     *
     * @param fromLeaf 0 is the leaf, {@code size() - 1} the topmost RDN
     * @throws IndexOutOfBoundsException if there is none
     */
    public Rdn rdn(int fromLeaf) {
        return rdns.get(fromLeaf);
    }

    /** @throws IllegalStateException if this is the root */
    public Dn parent() {
        if (isRoot()) {
            throw new IllegalStateException("the root DN has no parent");
        }
        return of(rdns.subList(1, size()));
    }

    /** This name with so many of its topmost RDNs. @throws IndexOutOfBoundsException if it has not so many */
    public Dn ancestor(int rdnCount) {
        return rdnCount == size() ? this : of(rdns.subList(size() - rdnCount, size()));
    }

    public Dn child(Rdn rdn) {
        List<Rdn> longer = new ArrayList<>(size() + 1);
        longer.add(rdn);
        longer.addAll(rdns);
        return of(longer);
    }

    public boolean isDescendantOrSelf(Dn ancestor) {
        int above = size() - ancestor.size();
        return above >= 0 && rdns.subList(above, size()).equals(ancestor.rdns);
    }

    /** This DN with the base it is under replaced. @throws IllegalArgumentException if this is not under {@code oldBase} */
    public Dn rebase(Dn oldBase, Dn newBase) {
        if (!isDescendantOrSelf(oldBase)) {
            throw new IllegalArgumentException(text() + " is not under " + oldBase.text());
        }
        List<Rdn> moved = new ArrayList<>(rdns.subList(0, size() - oldBase.size()));
        moved.addAll(newBase.rdns);
        return of(moved);
    }

    /** See {@link DnForm}. Shared, not to be changed. */
    public byte[] normalized() {
        Octets known = normalized;
        if (known == null) {
            known = new Octets(DnForm.of(size(), fromLeaf -> rdn(fromLeaf).normalized()));
            normalized = known;
        }
        return known.bytes();
    }

    /** The {@link #normalized()} of the parent, without making it; the caller's own array. */
    public byte[] normalizedParent() {
        return DnForm.of(size() - 1, fromLeaf -> rdn(fromLeaf + 1).normalized());
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Dn && ((Dn) object).rdns.equals(rdns);
    }

    @Override
    public int hashCode() {
        return rdns.hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
