#!/bin/sh
# nslcd.sh PACKAGES CONFIGURATION COMMAND...: runs the command where nslcd, its NSS module and its PAM module are installed and configured.
# It must be started in mount and process namespaces of its own (unshare --mount --pid --fork --mount-proc --kill-child): /etc, /usr and
# /run are laid over, which nobody else sees and which ends with the command.
set -e
packages=$1
configuration=$2
shift 2
mount -t tmpfs none /mnt
lay_over() {
    mkdir -p "/mnt/$1/upper" "/mnt/$1/work"
    mount -t overlay overlay -o "lowerdir=/$1,upperdir=/mnt/$1/upper,workdir=/mnt/$1/work" "/$1"
}
lay_over etc
lay_over usr
# Debian 12 has /lib in /usr, the packages do not.
cp -a "$packages/usr/." /usr/
cp -a "$packages/lib/." /usr/lib/
# Processes look for NSS modules in the cache of libraries first.
ldconfig
mount -t tmpfs none /run
mkdir /run/nslcd
cp "$configuration/nslcd.conf" "$configuration/nsswitch.conf" /etc/
chmod 600 /etc/nslcd.conf
mkdir -p /etc/pam.d
for kind in auth account password; do
    cp "$configuration/common-$kind" /etc/pam.d/
    echo "@include common-$kind" >>/etc/pam.d/alder
done
echo 'nslcd:x:990:990::/run/nslcd:/usr/sbin/nologin' >>/etc/passwd
echo 'nslcd:x:990:' >>/etc/group
chown 990:990 /run/nslcd
nslcd
exec "$@"
