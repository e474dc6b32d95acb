#!/bin/sh
# nslcd.sh PACKAGES CONFIGURATION COMMAND...: runs the command where nslcd, its NSS module and its PAM module are installed and configured.
set -e
. "$(dirname "$0")/lay-over.sh"
packages=$1
configuration=$2
shift 2
lay_over etc usr
install_packages "$packages"
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
