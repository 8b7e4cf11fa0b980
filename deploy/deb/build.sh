#!/usr/bin/env bash
# Builds a Debian package around a wheel: it brings wheel, unit and installer; its postinst has the
# installer make the environment. With a wheelhouse the package needs no network.
# usage: build.sh WHEEL [OUT [WHEELHOUSE ARCHITECTURE]]
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
if [ $# -lt 1 ] || [ $# = 3 ] || [ $# -gt 4 ] || [ ! -f "$1" ]; then
  sed -n '/^# usage/s/^# //p' "$0" >&2
  exit 2
fi
wheel="$1" out="${2:-.}" wheelhouse="${3:-}" architecture="${4:-all}"
version="$(basename "$wheel" | cut -d- -f2)"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
share="$tree/usr/share/zarbiter"
mkdir -p "$share" "$tree/DEBIAN" "$out"
chmod 755 "$tree"
install -m 755 "$HERE/install.sh" "$share/"
install -m 644 "$HERE"/zarbiter.* "$HERE/config.toml" "$wheel" "$share/"
if [ -n "$wheelhouse" ]; then
  mkdir "$share/house"
  find "$wheelhouse" -name '*.whl' ! -name 'zarbiter-*' -exec install -m 644 -t "$share/house" {} +
fi
cat >"$tree/DEBIAN/control" <<END
Package: zarbiter
Version: $version
Architecture: $architecture
Maintainer: The Zarbiter developers
Section: games
Priority: optional
Depends: python3 (>= 3.11), python3-venv, systemd
Recommends: python3-picamera2, python3-lgpio, avahi-daemon
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Description: camera referee for a real nardy or backgammon board
 Sees every throw and move, judges, explains, times and records it, and shows
 it on a page of its own. The environment is made in /opt/zarbiter when the
 package is configured; records stay in /var/lib/zarbiter when it is removed.
END
cat >"$tree/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
set -- --any-system --no-packages
[ ! -d /usr/share/zarbiter/house ] || set -- "$@" --wheelhouse /usr/share/zarbiter/house
exec /usr/share/zarbiter/install.sh "$@"
END
cat >"$tree/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
exec /usr/share/zarbiter/install.sh --uninstall
END
chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm"
# Wheels are packed already: packing them again costs minutes and saves nothing.
dpkg-deb --root-owner-group -Zgzip -z1 --build "$tree" "$out"
