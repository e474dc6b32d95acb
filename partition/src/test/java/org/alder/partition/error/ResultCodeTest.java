package org.alder.partition.error;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.HashMap;
import java.util.Map;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;
import org.junit.Test;

public class ResultCodeTest {
    @Test
    public void eachNumberStandsForOneResult() {
        Map<Integer, ResultCode> seen = new HashMap<>();
        for (ResultCode code : ResultCode.values()) {
            assertNull(code.text(), seen.put(code.number(), code));
        }
    }

    @Test
    public void numbersAndNamesAreThoseOthersKnow() {
        int compared = 0;
        for (ResultCode code : ResultCode.values()) {
            ResultCodeEnum other = ResultCodeEnum.getResultCode(code.number());
            // The LDAP API writes the name RFC 2251 has for 8, and spells 4096 differently; 122 is no result for it.
            if (other != ResultCodeEnum.UNKNOWN && code.number() != 8 && code.number() != 4096) {
                assertEquals(other.getMessage(), code.text());
                compared++;
            }
        }
        assertEquals(42, compared);
    }
}
