# shellcheck shell=bash
# What the launcher of a checkout and the one of an installation have in common: which Java, how much heap, and how the program is called.
# Sourced, not run.

fail() {
    printf 'alder: %s\n' "$1" >&2
    exit 69
}

# Between the parts of a class path stands a colon, and none can be escaped.
check_home() { # check_home HOME
    case "$1" in *:*) fail "the path $1 has a colon, which no class path of Java can have: put Alder into a folder without one" ;; esac
}

# Sets java to the program, and java_version to its feature release, such as 17.
find_java() { # find_java PACKAGE: what Debian and Ubuntu call what is needed
    local line
    if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ]; then
        java="$JAVA_HOME/bin/java"
    else
        java=$(command -v java || true)
    fi
    [ -n "$java" ] || fail "Java is not installed. On Debian or Ubuntu: apt-get install -y $1"
    java_version=
    # A look into the file of its version is a tenth of a second less than asking it.
    local release
    release=$(readlink -f "$java")
    release=${release%/bin/java}/release
    if [ -r "$release" ]; then
        while IFS= read -r line; do
            case "$line" in JAVA_VERSION=*) java_version=${line#*=} ;; esac
        done <"$release"
        java_version=${java_version//\"/}
    fi
    [ -n "$java_version" ] || java_version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = //p')
    java_version=${java_version%%[!0-9]*}
    [ "$java_version" -ge 17 ] 2>/dev/null || fail "Java $java_version found at $java, but 17 or newer is needed: apt-get install -y $1"
}

# The memory that this process may use, in MiB: the machine's, or less where a container or a service has a limit (control groups of either
# version; of version 2 also those around its own). 0 where the system does not tell.
memory_mib() { # memory_mib [ROOT]: the folder in which proc and sys are
    local root=${1:-} mib=0 key value line group file
    if [ -r "$root/proc/meminfo" ]; then
        while read -r key value _; do
            [ "$key" != MemTotal: ] || mib=$((value / 1024))
        done <"$root/proc/meminfo"
    fi
    local limits=("$root/sys/fs/cgroup/memory.max" "$root/sys/fs/cgroup/memory/memory.limit_in_bytes")
    if [ -r "$root/proc/self/cgroup" ]; then
        while IFS= read -r line; do
            group=${line#*:*:}
            case "$line" in
                0::*)
                    while [ -n "${group%/}" ]; do
                        limits+=("$root/sys/fs/cgroup$group/memory.max")
                        group=${group%/*}
                    done
                    ;;
                *:memory:*) limits+=("$root/sys/fs/cgroup/memory$group/memory.limit_in_bytes") ;;
            esac
        done <"$root/proc/self/cgroup"
    fi
    for file in "${limits[@]}"; do
        [ -r "$file" ] && read -r value <"$file" || continue
        case "$value" in '' | *[!0-9]*) continue ;; esac
        value=$((value >> 20))
        if [ "$mib" = 0 ] || [ "$value" -lt "$mib" ]; then mib=$value; fi
    done
    echo "$mib"
}

# The heap of so much memory: a 24th, at least 512 MiB, at most half. The rest is better used by the operating system's page cache, which
# holds the entries, coded: nothing of them is kept in the heap.
heap_mib() { # heap_mib MEMORY_MIB
    local heap=$(($1 / 24))
    [ "$heap" -ge 512 ] || heap=512
    [ "$heap" -le $(($1 / 2)) ] || heap=$(($1 / 2))
    echo "$heap"
}

# Sets java_options to what this verb is run with.
choose_java_options() { # choose_java_options HOME VERB
    local home=$1 verb=$2 mib level=warn columns=0
    java_options=(-XX:+ExitOnOutOfMemoryError)
    case "${ALDER_JAVA_OPTS:-}" in
        *-Xmx* | *RAMPercentage*) ;;
        *)
            mib=$(memory_mib)
            if [ "$mib" -gt 0 ]; then java_options+=("-Xmx$(heap_mib "$mib")m"); else java_options+=(-XX:MaxRAMPercentage=25); fi
            ;;
    esac
    # Short pauses for those who wait for answers; the most work per second where nobody does. Huge pages make a tenth of an import,
    # but a server's memory a tenth larger. What is asked once and ends is over before much is compiled.
    local collector
    case "$verb" in
        import | export | generate | verify)
            collector=-XX:+UseParallelGC
            [ ! -e /sys/kernel/mm/transparent_hugepage ] || java_options+=(-XX:+UseTransparentHugePages)
            ;;
        '' | -* | help | man | completion | status | account | passwd | connections)
            collector=-XX:+UseSerialGC
            java_options+=(-XX:TieredStopAtLevel=1)
            ;;
        *) collector=-XX:+UseG1GC ;;
    esac
    # Java does not start with two.
    case " ${ALDER_JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-}" in
        *" -XX:+Use"*GC*) ;;
        *) java_options+=("$collector") ;;
    esac
    # The libraries that compress have a native part.
    [ "$java_version" -lt 22 ] || java_options+=(--enable-native-access=ALL-UNNAMED)
    # What a server does is worth a line; beside the results of the other verbs only warnings are.
    [ "$verb" != start ] || level=info
    if [ -t 2 ]; then columns=$(tput cols 2>/dev/null || echo 80); fi
    java_options+=("-Dalder.home=$home" "-Dalder.log.level=$level" "-Dalder.terminal.columns=$columns"
        "-Dlogback.configurationFile=$home/conf/logback.xml")
}

# The jars of a cluster, where the arguments ask for one, or the verb is the benchmark of one: whatever else is started does without their weight.
cluster_class_path() { # cluster_class_path LIB ARGUMENT...
    local lib=$1 argument
    shift
    [ "${1:-} ${2:-}" != "perf cluster" ] || { printf ':%s/cluster/*' "$lib" && return; }
    for argument in "$@"; do
        case "$argument" in --cluster | --cluster=* | --join | --join=*) printf ':%s/cluster/*' "$lib" && return ;; esac
    done
}

# Becomes the program, after choose_java_options.
run_alder() { # run_alder CLASS_PATH ARGUMENT...
    local class_path=$1
    shift
    # Java reads arguments and file names as the locale says. Where none is set, those beyond ASCII would arrive as question marks.
    case "$(locale charmap 2>/dev/null || true)" in
        ANSI_X3.4-1968 | US-ASCII) export LC_ALL=C.UTF-8 ;;
    esac
    # shellcheck disable=SC2086  # ALDER_JAVA_OPTS holds several words
    exec "$java" "${java_options[@]}" ${ALDER_JAVA_OPTS:-} -cp "$class_path" org.alder.server.cli.Alder "$@"
}
