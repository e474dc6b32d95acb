package org.alder.server.migration.x501;

/** What an ACI item grants or denies (X.501 18.4.2.5), as far as it decides anything here. */
enum Operation {
    ADD("Add"), READ("Read"), REMOVE("Remove"), BROWSE("Browse"), EXPORT("Export"), IMPORT("Import"), MODIFY("Modify"), RENAME("Rename"),
    RETURN_DN("ReturnDN"), COMPARE("Compare"), FILTER_MATCH("FilterMatch"), DISCLOSE_ON_ERROR("DiscloseOnError"), INVOKE("Invoke");

    /** How it is written behind grant or deny. */
    final String word;

    Operation(String word) {
        this.word = word;
    }
}
