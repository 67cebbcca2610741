#!/usr/bin/env bash
# rootfs.sh DIR: the root file system of the images without a base, from this machine: a JRE that jlink makes from the
# JDK 17 in JAVA_HOME, glibc, a shell and the programs that executor, daemon and `kubectl exec` use.
#
# Every file is a copy at the path where the dynamic linker looks for it. There are no links, because Jib drops them.
set -euo pipefail
root=$1
rm -rf "$root"
mkdir -p "$root"/{bin,dev,etc/ringmaster,node,opt,proc,run/ringmaster,sys,tmp,usr/bin,var/lib/ringmaster}

# java.se is what a library may expect; the others are those that Cassandra 5.0, its agents and diagnosis use.
modules=java.se,jdk.attach,jdk.charsets,jdk.compiler,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management
modules+=,jdk.management.agent,jdk.management.jfr,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs
"$JAVA_HOME/bin/jlink" --add-modules $modules --no-header-files --no-man-pages --output "$root/opt/java"
# Copyright notices, of which most are links to those of java.base.
find "$root/opt/java" -type l -delete

# A program or library that is missing here is missing in the image too; the last line checks those that must not be.
programs="bash cat chmod cp cut date df du env find getent grep head hostname id ls mkdir mv nice nproc prlimit ps rm sed
    setsid sha256sum sleep sort stat stty tail tar touch tr uname wc"
# For Cassandra's native libraries and for name resolution.
libraries='libc libdl libgcc_s libm libnss_dns libnss_files libpthread libresolv librt libstdc[+][+] libz'

# What the dynamic linker loads for the given files, and the linker itself.
needed() {
    { ldd "$@" 2>/dev/null || true; } | awk '/=> \//{print $3} /^\t\/lib/{print $1}' | grep -v "^$root/" || true
}

copy() {
    local file
    for file in "$@"; do
        mkdir -p "$root$(dirname "$file")"
        cp -Lu "$file" "$root$file"
    done
}

found=()
for program in $programs; do
    path=$(type -P "$program") || continue
    found+=("$path")
    cp -L "$path" "$root/usr/bin/$program"
done
cp -L "$(type -P dash || type -P bash)" "$root/bin/sh"
cp -L "$(type -P bash)" "$root/bin/bash"
rm -f "$root/usr/bin/bash"
case $(uname -m) in
x86_64) format=libc6,x86-64 ;;
aarch64) format=libc6,AArch64 ;;
*) format=libc6 ;;
esac
# shellcheck disable=SC2046 # paths of libraries have no spaces
copy $(for library in $libraries; do
    ldconfig -p | awk -v name="^$library[.]so[.][0-9]+$" -v format="($format" \
        '$1 ~ name && index($0, format) && !found { print $NF; found = 1 }'
done)
# Libraries of the JRE that draw or play need libraries of a desktop: without a desktop nothing loads them.
desktop='/lib(awt|splash|font|jsound|lcms|mlib|javajpeg|jawt)'
# shellcheck disable=SC2046
copy $(needed "${found[@]}" "$root/bin/sh" "$root"/opt/java/bin/* \
    $(find "$root/opt/java/lib" -name '*.so' | grep -vE "$desktop") | sort -u)

# The locale of the image, with which names of files may have any characters.
locale=/usr/lib/locale/C.utf8
[ ! -d $locale ] || { mkdir -p "$root$locale" && cp -rL $locale/. "$root$locale/"; }

printf '%s\n' 'root:x:0:0:root:/:/bin/sh' 'ringmaster:x:998:998:Ringmaster:/var/lib/ringmaster:/bin/sh' \
    'cassandra:x:999:999:Cassandra:/node:/bin/sh' >"$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'ringmaster:x:998:' 'cassandra:x:999:' >"$root/etc/group"
printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$root/etc/nsswitch.conf"

for file in bin/sh usr/bin/setsid usr/bin/prlimit usr/bin/find usr/bin/cat usr/bin/ls opt/java/bin/java; do
    [ -x "$root/$file" ] || {
        echo "image: this machine has no ${file##*/} for the root file system -> ./dev setup" >&2
        exit 1
    }
done
