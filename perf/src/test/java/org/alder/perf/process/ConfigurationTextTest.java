package org.alder.perf.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import org.junit.Test;

public class ConfigurationTextTest {
    private static final ConfigurationText TEXT = new ConfigurationText("dn: cn=config\ncn: config\nport: 389\n\ndn: cn=a,cn=index,cn=config\ncn: a\nsystem: false\n\n"
            + "dn: cn=b,cn=index,cn=config\ncn: b\nSystem: True\n\ndn: cn=other,cn=config\ncn: other\nsystem: false\n");

    @Test
    public void entriesAreLeftOut() {
        assertEquals("dn: cn=config\ncn: config\nport: 389\n\ndn: cn=b,cn=index,cn=config\ncn: b\nSystem: True\n\ndn: cn=other,cn=config\ncn: other\nsystem: false\n",
                TEXT.without("cn=[^,\\n]*,cn=index(?:(?!\\n\\n).)*?SYSTEM: false").text());
    }

    @Test
    public void attributesGetOtherValuesInTheirEntryAlone() {
        assertEquals(TEXT.text().replace("cn: config\nport: 389\n\n", "Port: 1389\nhost: here\ncn: config\n\n"),
                TEXT.with("cn=config", "Port: 1389", "host: here").text());
        assertEquals(TEXT.text().strip().replace("cn: other\nsystem: false", "system: true\ncn: other"), TEXT.with("cn=other,cn=config", "system: true").text().strip());
        assertThrows(IllegalArgumentException.class, () -> TEXT.with("cn=none", "a: b"));
    }

    @Test
    public void entriesComeAtTheEnd() {
        assertEquals(TEXT.text() + "\ndn: cn=c,cn=config\ncn: c\n", TEXT.and(List.of("dn: cn=c,cn=config", "cn: c")).text());
    }
}
