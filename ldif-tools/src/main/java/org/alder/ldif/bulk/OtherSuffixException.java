package org.alder.ldif.bulk;

import java.io.IOException;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.Shortened;

/** None of the first entries of a load is under the suffix of its partition: nothing was loaded. */
public final class OtherSuffixException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Dn dn;

    /** @param dn the highest of the names that came instead */
    OtherSuffixException(long line, Dn dn, Dn suffix) {
        super(Shortened.of("line " + line + ": the entries are those of \"" + dn.text() + "\", and not under this partition's suffix \""
                + suffix.text() + '"'));
        this.dn = dn;
    }

    /** The highest of the names that came instead. */
    public Dn dn() {
        return dn;
    }
}
