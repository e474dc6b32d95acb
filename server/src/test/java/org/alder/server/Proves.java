package org.alder.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test method: it shows through the wire what the server does for these OIDs. {@link AdvertisedTest} wants one for every OID
 * that the root DSE has.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {
    String[] value();
}
