package org.alder.server.migration;

/** Where a server says who may do what. */
enum RulesSource {
    /** In its configuration, as OpenLDAP. */
    SETTINGS,
    /** In its entries, and these are not at hand. */
    ENTRIES_NOT_READ,
    /** In ACIs of its entries, which are among the settings; of attributes, * means all of them. */
    ENTRIES_OF_389,
    /** The same; * means user attributes alone. */
    ENTRIES_OF_OPENDJ,
    /** In ACI items (X.501) of its entries, which are among the settings. */
    ENTRIES_OF_APACHEDS,
    /** Nowhere: it asks nobody. */
    NONE
}
