package org.alder.partition.update;

import java.time.Instant;

/**
 * Who makes a change and when: what becomes creatorsName, modifiersName and the timestamps (RFC 4512 3.4).
 *
 * @param authorizationDn the DN in whose name the change is made, empty for anonymous
 * @param time becomes createTimestamp or modifyTimestamp
 */
public record UpdateOrigin(String authorizationDn, Instant time) {
}
