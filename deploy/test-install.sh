#!/usr/bin/env bash
# Tries install.sh in a Debian 13 chroot: twice, an update, one that does not answer, uninstalling.
# Stubs stand for what only a Raspberry Pi has (picamera2, lgpio) and for a running systemd.
# Needs root, mmdebstrap and Debian's and Python's registries; says so and leaves where it lacks
# one (exit status 77). Usage: test-install.sh [FOLDER] (kept between runs; default: a new one)
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SOURCE="$(dirname "$HERE")"
PYTHON="${PYTHON:-python3}"
PORT=18471

skip() { printf 'SKIPPED: %s\n' "$*" >&2; exit 77; }
step() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
expect() { "$@" || fail "expected: $*"; }

[ "$(id -u)" = 0 ] || skip "the chroot needs root"
command -v mmdebstrap >/dev/null || skip "needs mmdebstrap: apt-get install mmdebstrap"

keep=true
work="${1:-}"
if [ -z "$work" ]; then
  keep=false
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
root="$work/root"

step "a Debian 13 chroot"
if [ ! -f "$work/trixie.tar" ]; then
  mmdebstrap --quiet --variant=minbase \
    --include=python3,python3-venv,python3-numpy,ca-certificates,systemd,dpkg-dev \
    trixie "$work/trixie.tar.new" || skip "the chroot cannot be built here"
  mv "$work/trixie.tar.new" "$work/trixie.tar"
fi
rm -rf "$root"
mkdir "$root"
tar -C "$root" -xf "$work/trixie.tar" --exclude='./dev/*'

step "the wheel, a second one, and their libraries"
rm -rf "$work/dist"
"$PYTHON" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/dist" "$SOURCE" ||
  skip "the wheel cannot be built here"
wheel="$(find "$work/dist" -name 'zarbiter-*.whl')"
rm -f "$work"/house/zarbiter-*.whl # pip would ask an older one what it needs
"$PYTHON" -m pip download --quiet --disable-pip-version-check --dest "$work/house" \
  --python-version 3.13 --only-binary=:all: "$wheel" || skip "no libraries to be had here"
version="$(basename "$wheel" | cut -d- -f2)"
# The same content under a later version: an update.
"$PYTHON" - "$wheel" "$work/dist" <<'PY'
import pathlib, re, sys, zipfile
old = pathlib.Path(sys.argv[1])
version = old.name.split("-")[1]
later = version + ".post1"
with zipfile.ZipFile(old) as source, zipfile.ZipFile(
    pathlib.Path(sys.argv[2]) / old.name.replace(version, later), "w", zipfile.ZIP_DEFLATED
) as target:
    for item in source.infolist():
        data = source.read(item)
        name = item.filename.replace(f"zarbiter-{version}.dist-info", f"zarbiter-{later}.dist-info")
        if name.endswith("METADATA"):
            data = re.sub(rb"(?m)^Version: .*$", f"Version: {later}".encode(), data, count=1)
        if name.endswith("RECORD"):
            # pip checks names, and only warns about sums it was not asked to check.
            data = data.replace(f"zarbiter-{version}.dist-info".encode(),
                                f"zarbiter-{later}.dist-info".encode())
        target.writestr(name, data)
PY
mkdir -p "$root/src" "$root/repo"
cp -r "$HERE" "$root/src/deploy"
cp "$work"/dist/*.whl "$root/src/"
cp -r "$work/house" "$root/src/house"
rm -f "$root"/src/house/zarbiter-*.whl

step "stubs: apt's picamera2 and lgpio, a systemd that runs"
for name in python3-picamera2 python3-lgpio; do
  module="${name#python3-}"
  stub="$work/stub/$name"
  rm -rf "$stub"
  mkdir -p "$stub/DEBIAN" "$stub/usr/lib/python3/dist-packages"
  printf 'Package: %s\nVersion: 0.0-stub\nArchitecture: all\nMaintainer: test\nDepends: python3-numpy\nDescription: stub\n' \
    "$name" >"$stub/DEBIAN/control"
  printf 'def __getattr__(name):\n    raise AttributeError(name)\n' \
    >"$stub/usr/lib/python3/dist-packages/$module.py"
  dpkg-deb --root-owner-group --build "$stub" "$root/repo/" >/dev/null
done
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
mount -t proc proc "$root/proc"
mkdir -p "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/zero" c 1 5
mknod -m 666 "$root/dev/urandom" c 1 9
mknod -m 666 "$root/dev/random" c 1 8
ln -s /proc/self/fd "$root/dev/fd"
clean() {
  if [ -f "$root/run/served.pid" ]; then kill "$(cat "$root/run/served.pid")" 2>/dev/null || true; fi
  umount "$root/proc" 2>/dev/null || true
  $keep || rm -rf "$work"
}
trap clean EXIT
in_root sh -c 'cd /repo && dpkg-scanpackages -m . >Packages 2>/dev/null'
printf 'deb [trusted=yes] file:/repo ./\n' >"$root/etc/apt/sources.list"
rm -f "$root"/etc/apt/sources.list.d/*
mkdir -p "$root/run/systemd/system" "$root/run/lock" "$root/etc/avahi/services"
# The stub of systemctl: a web server answers for the service unless /run/bad names the release.
cat >"$root/usr/local/sbin/systemctl" <<'STUB'
#!/bin/sh
printf '%s\n' "$*" >>/run/systemctl.log
stop() { [ -f /run/served.pid ] && kill "$(cat /run/served.pid)" 2>/dev/null; rm -f /run/served.pid; }
case "$1" in
  restart)
    stop
    case "$(readlink /opt/zarbiter/current)" in *"$(cat /run/bad 2>/dev/null || echo none)"*) exit 0 ;; esac
    mkdir -p /run/web && : >/run/web/healthz
    cd /run/web && { python3 -m http.server -b 127.0.0.1 PORT >/dev/null 2>&1 & echo $! >/run/served.pid; }
    ;;
  is-active) [ -f /run/served.pid ] ;;
  is-failed) [ ! -f /run/served.pid ] ;;
  disable) stop; rm -f /etc/systemd/system/multi-user.target.wants/zarbiter.service ;;
  enable) mkdir -p /etc/systemd/system/multi-user.target.wants
    ln -sf /etc/systemd/system/zarbiter.service /etc/systemd/system/multi-user.target.wants/ ;;
esac
STUB
sed -i "s/PORT/$PORT/" "$root/usr/local/sbin/systemctl"
chmod +x "$root/usr/local/sbin/systemctl"

first="/src/$(basename "$wheel")"
second="/src/$(basename "$(find "$work/dist" -name '*.post1-*.whl')")"
install() { in_root ZARBITER_INSTALL_WAIT_S=8 /src/deploy/install.sh --any-system --wheelhouse /src/house "$@"; }

step "wrong use and a wrong system are refused"
expect test "$(install --frobnicate >/dev/null 2>&1; echo $?)" = 2
expect test "$(install --wheel /nowhere.whl >/dev/null 2>&1; echo $?)" = 2
expect test "$(in_root /src/deploy/install.sh --wheel "$first" >/dev/null 2>&1; echo $?)" = 1
expect test ! -e "$root/opt/zarbiter"

step "a dry run changes nothing"
install --dry-run --wheel "$first"
expect test ! -e "$root/opt/zarbiter" -a ! -e "$root/etc/zarbiter"

step "the first installation, with a port of its own"
mkdir -p "$root/etc/zarbiter"
printf '[web]\nport = %s\nhost = "0.0.0.0"\n' "$PORT" >"$root/etc/zarbiter/config.toml"
install --wheel "$first"
one="$(readlink "$root/opt/zarbiter/current")"
expect grep -q 0.0-stub <(in_root dpkg -s python3-picamera2)
expect test -x "$root$one/bin/zarbiter"
expect test "$(in_root stat -c %U:%G:%a /var/lib/zarbiter/record)" = zarbiter:zarbiter:750
expect grep -q "<port>$PORT</port>" "$root/etc/avahi/services/zarbiter.service"
expect grep -q "port = $PORT" "$root/etc/zarbiter/config.toml"
in_root zarbiter --version
in_root systemd-analyze verify /etc/systemd/system/zarbiter.service
in_root systemd-analyze security --offline=true --threshold=30 /etc/systemd/system/zarbiter.service | tail -1
printf 'a match\n' >"$root/var/lib/zarbiter/record/kept"

step "again: nothing is built, nothing is lost"
before="$(in_root sh -c 'find /opt/zarbiter /etc/zarbiter /var/lib/zarbiter /etc/systemd/system | sort | sha256sum; stat -c %Y /opt/zarbiter/current/.complete')"
install --wheel "$first"
after="$(in_root sh -c 'find /opt/zarbiter /etc/zarbiter /var/lib/zarbiter /etc/systemd/system | sort | sha256sum; stat -c %Y /opt/zarbiter/current/.complete')"
expect test "$before" = "$after"

step "an update that does not answer goes back"
echo post1 >"$root/run/bad"
status=0
install --wheel "$second" || status=$?
expect test "$status" = 1
expect test "$(readlink "$root/opt/zarbiter/current")" = "$one"
expect in_root systemctl is-active

step "the same update, now that it answers"
rm "$root/run/bad"
install --wheel "$second"
two="$(readlink "$root/opt/zarbiter/current")"
expect test "$two" != "$one"
expect grep -q post1 <(in_root zarbiter --version)

step "rollback by hand"
install --rollback
expect test "$(readlink "$root/opt/zarbiter/current")" = "$one"

step "a configuration that the release does not take stops the update before anything changes"
printf '[web]\nprot = 1\n' >>"$root/etc/zarbiter/config.toml.bad"
cp "$root/etc/zarbiter/config.toml" "$work/sound.toml"
cp "$root/etc/zarbiter/config.toml.bad" "$root/etc/zarbiter/config.toml"
status=0
install --wheel "$second" || status=$?
expect test "$status" = 1
expect test "$(readlink "$root/opt/zarbiter/current")" = "$one"
cp "$work/sound.toml" "$root/etc/zarbiter/config.toml"
rm "$root/etc/zarbiter/config.toml.bad"

step "uninstalling leaves record and configuration"
install --uninstall
expect test ! -e "$root/opt/zarbiter" -a ! -e "$root/etc/systemd/system/zarbiter.service"
expect test ! -e "$root/usr/local/bin/zarbiter" -a ! -e "$root/etc/avahi/services/zarbiter.service"
expect test "$(cat "$root/var/lib/zarbiter/record/kept")" = "a match"
expect test -f "$root/etc/zarbiter/config.toml"
install --uninstall

step "a fresh configuration, in Russian, opened to the network"
rm -r "$root/etc/zarbiter"
install --wheel "$first" --lan --language ru --no-start
expect grep -q '^host = "0.0.0.0"' "$root/etc/zarbiter/config.toml"
expect grep -q 'Имя стола' "$root/etc/zarbiter/config.toml"
expect test "$(cat "$root/var/lib/zarbiter/record/kept")" = "a match"

step "the same as a Debian package: install, update, remove"
install --uninstall
rm -f "$work"/*.deb "$root"/src/*.whl
for one in "$work"/dist/*.whl; do "$HERE/deb/build.sh" "$one" "$work" "$work/house" amd64; done
cp "$work"/*.deb "$root/src/"
cp "$work/sound.toml" "$root/etc/zarbiter/config.toml"
in_root ZARBITER_INSTALL_WAIT_S=8 dpkg -i "/src/zarbiter_$version"_amd64.deb
expect in_root systemctl is-active
in_root ZARBITER_INSTALL_WAIT_S=8 dpkg -i "/src/zarbiter_$version.post1_amd64.deb"
expect grep -q post1 <(in_root zarbiter --version)
in_root dpkg -r zarbiter
expect test ! -e "$root/opt/zarbiter"
expect test "$(cat "$root/var/lib/zarbiter/record/kept")" = "a match"

printf '\nall of it passed\n'
