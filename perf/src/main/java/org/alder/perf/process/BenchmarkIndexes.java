package org.alder.perf.process;

import java.util.List;

/** The indexes of conf/benchmark.ldif, for servers that are to have the same. That of objectClass every server has by itself but OpenLDAP. */
final class BenchmarkIndexes {
    static final List<String> EQUALITY = List.of("uid", "initials", "cn", "sn", "mail", "employeeType", "departmentNumber", "st");
    /** Of these. */
    static final List<String> SUBSTRING = List.of("st");

    private BenchmarkIndexes() {
    }
}
