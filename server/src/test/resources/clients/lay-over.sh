# To be sourced: lay_over FOLDER... makes writable copies of folders in the root, and install_packages FOLDER puts unpacked packages there.
# Nobody else sees either, as long as the shell is in mount and process namespaces of its own
# (unshare --mount --pid --fork --mount-proc --kill-child), and both end with it.
lay_over() {
    mount -t tmpfs none /mnt
    for folder in "$@"; do
        mkdir -p "/mnt/$folder/upper" "/mnt/$folder/work"
        mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work" "/$folder"
    done
    mount -t tmpfs none /run
}

# Debian 12 has /lib in /usr, its packages do not. Processes look for NSS modules in the cache of libraries first.
install_packages() {
    for folder in etc var; do
        [ ! -d "$1/$folder" ] || cp -an "$1/$folder/." "/$folder/"
    done
    cp -a "$1/usr/." /usr/
    cp -a "$1/lib/." /usr/lib/
    ldconfig
}
