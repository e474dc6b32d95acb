#!/bin/sh
# sssd.sh PACKAGES CONFIGURATION COMMAND...: runs the command where SSSD, its NSS module and its PAM module are installed and configured.
set -e
. "$(dirname "$0")/lay-over.sh"
packages=$1
configuration=$2
shift 2
lay_over etc usr var
# The configuration, the caches and the sockets of this machine's SSSD, if it has one, are elsewhere.
rm -rf /etc/sssd
[ ! -d /var/lib/sss ] || mount -t tmpfs none /var/lib/sss
install_packages "$packages"
mkdir -p /etc/sssd /var/log/sssd
cp "$configuration/sssd.conf" /etc/sssd/
chmod 600 /etc/sssd/sssd.conf
cp "$configuration/nsswitch.conf" /etc/
for kind in auth account password; do
    echo "$kind required pam_sss.so" >>/etc/pam.d/alder
done
sssd -D
# It answers when it has reached the directory.
tries=0
until getent passwd alice >/dev/null; do
    tries=$((tries + 1))
    if [ $tries = 2500 ]; then
        echo "waited for SSSD to find alice"
        cat /var/log/sssd/*.log
        exit 1
    fi
    sleep 0.1
done
exec "$@"
