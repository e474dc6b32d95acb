#!/bin/sh
# nslcd.sh PACKAGES CONFIGURATION COMMAND...: runs the command where nslcd, its NSS module and its PAM module are installed and configured.
set -e
. "$(dirname "$0")/lay-over.sh"
packages=$1
configuration=$2
shift 2
lay_over etc usr
install_packages "$packages"
cp "$configuration/nslcd.conf" "$configuration/nsswitch.conf" /etc/
chmod 600 /etc/nslcd.conf
for kind in auth account password; do
    cp "$configuration/common-$kind" /etc/pam.d/
    echo "@include common-$kind" >>/etc/pam.d/alder
done
add_user nslcd 990
mkdir /run/nslcd
chown 990:990 /run/nslcd
nslcd
exec "$@"
