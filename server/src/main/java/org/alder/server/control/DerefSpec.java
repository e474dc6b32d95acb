package org.alder.server.control;

import java.util.List;

/**
 * What a dereference control asks of one attribute.
 *
 * @param attribute holds the DNs of other entries
 * @param attributes those wanted of these entries, at least one
 */
public record DerefSpec(String attribute, List<String> attributes) {
}
