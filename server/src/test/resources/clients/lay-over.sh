# To be sourced: lay_over FOLDER... makes writable copies of folders in the root, install_packages FOLDER puts unpacked packages there,
# and add_user adds a user to the few that are left. Nobody else sees any of it, as long as the shell is in mount and process
# namespaces of its own (unshare --mount --pid --fork --mount-proc --kill-child), and all of it ends with it.
lay_over() {
    mount -t tmpfs none /mnt
    for folder in "$@"; do
        mkdir -p "/mnt/$folder/upper" "/mnt/$folder/work"
        mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work" "/$folder"
    done
    # The sockets of services of this machine are here.
    mount -t tmpfs none /run
    # This machine's users may have the names or numbers of those in the directory.
    echo 'root:x:0:0:root:/root:/bin/sh' >/etc/passwd
    echo 'root:x:0:' >/etc/group
    echo 'root:*:19000:0:99999:7:::' >/etc/shadow
    rm -f /etc/pam.d/alder
    mkdir -p /etc/pam.d
}

# add_user NAME NUMBER
add_user() {
    echo "$1:x:$2:$2::/:/usr/sbin/nologin" >>/etc/passwd
    echo "$1:x:$2:" >>/etc/group
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
