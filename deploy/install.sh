#!/usr/bin/env bash
# Installs Zarbiter as a service on Raspberry Pi OS (Trixie, 64-bit), Raspberry Pi 4 or 5.
# May be run again at any time: an unchanged release is left as it is, a new one is built beside
# the old one, and the old one comes back when the new one does not answer.
set -euo pipefail
umask 022

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly HERE
# A test installs into a folder; there nothing of the system is touched.
readonly ROOT="${DESTDIR:-}"
readonly PREFIX=/opt/zarbiter
readonly STATE=/var/lib/zarbiter
readonly CONFIG=/etc/zarbiter/config.toml
readonly UNIT=/etc/systemd/system/zarbiter.service
readonly SYSUSERS=/usr/lib/sysusers.d/zarbiter.conf
readonly TMPFILES=/usr/lib/tmpfiles.d/zarbiter.conf
readonly AVAHI=/etc/avahi/services/zarbiter.service
readonly COMMAND=/usr/local/bin/zarbiter
readonly PACKAGES=(python3-venv python3-picamera2 python3-lgpio)
readonly ANSWER_S="${ZARBITER_INSTALL_WAIT_S:-60}"
readonly KEEP=3
readonly NEEDED_MB=1500

wheel="" wheelhouse="" language="" action=install
dry=false lan=false start=true any_system=false packages=true

usage() {
  cat <<END
usage: sudo ./install.sh [options]

Installs or updates Zarbiter as a service on a Raspberry Pi.

  --wheel FILE      the release to install (default: the zarbiter-*.whl beside this script,
                    else one built from the checkout that it lies in)
  --wheelhouse DIR  take every library from this folder; no network is needed
  --lan             let the network see the dashboard (a first configuration only)
  --language ru|en  of a first configuration's comments (default: this system's)
  --no-packages     leave the system's packages as they are
  --no-start        install, but start nothing
  --any-system      go on where this is no Raspberry Pi OS Trixie, 64-bit
  --rollback        go back to the release that ran before this one
  --uninstall       remove the service; record and configuration stay
  --dry-run         say what would be done, and do nothing
  --help            this text

exit status: 0 done, 1 failed (the old release runs on), 2 wrong use
END
}

say() { printf '%s\n' "$*"; }
warn() { printf 'install: %s\n' "$*" >&2; }
die() { warn "$*"; exit 1; }
misuse() { warn "$*"; warn "see $0 --help"; exit 2; }

# Runs a command, or only says it.
run() {
  if $dry; then
    printf 'would run:'
    printf ' %q' "$@"
    printf '\n'
  else
    "$@"
  fi
}

# The same for what concerns the running system, which a DESTDIR has none of.
run_system() {
  if [ -n "$ROOT" ]; then say "left out under DESTDIR: $*"; else run "$@"; fi
}

parse() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --wheel | --wheelhouse | --language)
        [ $# -ge 2 ] || misuse "$1 needs a value"
        case "$1" in
          --wheel) wheel="$2" ;;
          --wheelhouse) wheelhouse="$2" ;;
          --language) language="$2" ;;
        esac
        shift
        ;;
      --lan) lan=true ;;
      --no-packages) packages=false ;;
      --no-start) start=false ;;
      --any-system) any_system=true ;;
      --rollback) action=rollback ;;
      --uninstall) action=uninstall ;;
      --dry-run) dry=true ;;
      --help | -h) usage; exit 0 ;;
      *) misuse "what is $1?" ;;
    esac
    shift
  done
  case "$language" in
    "" | ru | en) ;;
    *) misuse "--language is ru or en, not $language" ;;
  esac
  [ -z "$wheel" ] || [ -f "$wheel" ] || misuse "--wheel $wheel: there is no such file"
  [ -z "$wheelhouse" ] || [ -d "$wheelhouse" ] || misuse "--wheelhouse $wheelhouse: no such folder"
  if [ -n "$wheelhouse" ]; then wheelhouse="$(cd "$wheelhouse" && pwd)"; fi
}

check_rights() {
  if $dry || [ -n "$ROOT" ]; then return; fi
  [ "$(id -u)" = 0 ] || die "this needs root: sudo $0"
  exec 9>/run/lock/zarbiter-install || die "cannot lock /run/lock/zarbiter-install"
  flock -n 9 || die "another installation is running"
}

is_pi() { tr -d '\0' 2>/dev/null </proc/device-tree/model | grep -q 'Raspberry Pi'; }

check_system() {
  if [ -n "$ROOT" ]; then return; fi
  local codename arch python
  codename="$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null || true)"
  arch="$(dpkg --print-architecture 2>/dev/null || uname -m)"
  if [ "$arch" = armhf ]; then die "this system is 32-bit: write the 64-bit Raspberry Pi OS to the card"; fi
  if [ "$codename" != trixie ] && ! $any_system; then
    die "made for Raspberry Pi OS Trixie (Debian 13), this is ${codename:-another system}; --any-system tries it"
  fi
  if ! is_pi && ! $any_system; then
    die "this is no Raspberry Pi ($arch); --any-system installs without its camera and pins"
  fi
  python="$(/usr/bin/python3 -c 'import sys; print(sys.version_info[:2] >= (3, 11))' 2>/dev/null || true)"
  [ "$python" = True ] || die "needs the system's Python 3.11 or newer in /usr/bin/python3"
  local free_mb
  free_mb="$(df -Pm /opt 2>/dev/null | awk 'NR == 2 { print $4 }')"
  if [ -n "$free_mb" ] && [ "$free_mb" -lt "$NEEDED_MB" ]; then
    die "/opt has $free_mb MB free, $NEEDED_MB MB are needed"
  fi
}

has_package() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }

install_packages() {
  if [ -n "$ROOT" ] || ! $packages; then return; fi
  local missing=() package
  for package in "${PACKAGES[@]}"; do has_package "$package" || missing+=("$package"); done
  if [ ${#missing[@]} = 0 ]; then say "packages: all there"; return; fi
  say "packages: ${missing[*]}"
  run apt-get update -q || warn "the package lists could not be renewed; going on with the old ones"
  local wanted=()
  for package in "${missing[@]}"; do
    if $dry || [ -n "$(apt-cache madison "$package")" ]; then
      wanted+=("$package")
    elif is_pi; then
      die "this system offers no $package: is this Raspberry Pi OS, with its own package source?"
    else
      warn "no $package here: there will be no ribbon camera or no pins"
    fi
  done
  if [ ${#wanted[@]} -gt 0 ]; then
    # picamera2 recommends a desktop's preview windows, which a table does not need.
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      "${wanted[@]}" || die "apt could not install ${wanted[*]}; see its words above"
  fi
}

find_wheel() {
  if [ -n "$wheel" ]; then wheel="$(realpath "$wheel")"; return; fi
  local found=() newest=""
  mapfile -t found < <(find "$HERE" -maxdepth 1 -name 'zarbiter-*.whl' | sort -V)
  if [ ${#found[@]} -gt 0 ]; then newest="${found[-1]}"; fi
  if [ -n "$newest" ]; then wheel="$newest"; return; fi
  [ -f "$HERE/../pyproject.toml" ] || die "there is no zarbiter-*.whl beside this script; name one with --wheel"
  if $dry; then wheel="$HERE/zarbiter-0-py3-none-any.whl"; say "would build a wheel of $HERE/.."; return; fi
  say "building a wheel of the checkout …"
  build="$(mktemp -d)"
  trap 'rm -rf "${build:-}"' EXIT
  /usr/bin/python3 -m venv "$build/venv"
  "$build/venv/bin/pip" --quiet --disable-pip-version-check wheel --no-deps \
    --wheel-dir "$build" "$HERE/.." || die "the checkout could not be built"
  wheel="$(find "$build" -maxdepth 1 -name 'zarbiter-*.whl')"
}

# A release is named by its version and its content: the same wheel is never built twice.
name_release() {
  local version sum=00000000
  version="$(basename "$wheel" | cut -d- -f2)"
  if [ -f "$wheel" ]; then sum="$(sha256sum "$wheel" | cut -c1-8)"; fi
  release="$PREFIX/releases/$version-$sum"
}

current_release() { readlink "$ROOT$PREFIX/current" 2>/dev/null || true; }

build_release() {
  if [ -f "$ROOT$release/.complete" ]; then say "release: $release is there already"; return; fi
  say "release: building $release …"
  run rm -rf "$ROOT$release"
  run mkdir -p "$ROOT$PREFIX/releases"
  run /usr/bin/python3 -m venv --system-site-packages "$ROOT$release"
  local options=(--quiet --disable-pip-version-check)
  if [ -n "$wheelhouse" ]; then options+=(--no-index --find-links "$wheelhouse"); fi
  if $dry; then run "$release/bin/pip" install "${options[@]}" "$wheel"; return; fi
  # The system's picamera2 was built for the system's numpy: pip must not put another before it.
  local numpy
  numpy="$(/usr/bin/python3 -I -c 'import numpy; print(numpy.__version__)' 2>/dev/null || true)"
  if [ -n "$numpy" ]; then
    printf 'numpy==%s\n' "$numpy" >"$ROOT$release/constraints.txt"
    options+=(--constraint "$ROOT$release/constraints.txt")
  fi
  if ! "$ROOT$release/bin/pip" install "${options[@]}" "$wheel"; then
    rm -rf "$ROOT${release:?}"
    die "the libraries could not be installed (is there a network? else see --wheelhouse)"
  fi
}

# Does the new release work at all? What the doctor says of the machine is no fault of it.
check_release() {
  if $dry; then say "would run: $release/bin/zarbiter doctor --json"; return; fi
  if [ -f "$ROOT$release/.complete" ]; then return; fi
  # LG_WD: lgpio puts a pipe where it is told to, else where it is started.
  if ! (cd / && export LG_WD=/run && "$ROOT$release/bin/zarbiter" --version &&
    "$ROOT$release/bin/zarbiter" doctor --json) \
    >"$ROOT$release/doctor.json" 2>&1; then
    if ! (cd / && "$ROOT$release/bin/python" -I - "$ROOT$release/doctor.json") <<'PY'
import json, sys
machine = {"configuration", "cameras", "pins", "groups", "power", "temperature", "disk",
           "free disk", "record", "clock", "memory", "frames", "environment", "Pi camera"}
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
try:
    found = [json.loads(line) for line in lines if line.startswith("{")]
except ValueError:
    found = []
faults = [one for one in found if one["health"] == "fault" and one["check"] not in machine]
for one in faults:
    print(f"  {one['check']}: {one['found']}\n    -> {one['cure']}", file=sys.stderr)
if not found:
    print("\n".join(lines[-5:]), file=sys.stderr)
sys.exit(bool(faults) or not found)
PY
    then
      rm -rf "$ROOT${release:?}"
      die "the new release is not sound here; nothing was changed"
    fi
  fi
  touch "$ROOT$release/.complete"
}

# With what it is run by: a release that comes back comes back with its own unit.
keep_unit() {
  put 644 "$HERE/zarbiter.service" "$release/deploy/zarbiter.service"
  put 644 "$HERE/zarbiter.avahi.service" "$release/deploy/zarbiter.avahi.service"
}

put() {  # put MODE FILE TARGET: without touching a target that is the same already
  if [ -f "$ROOT$3" ] && cmp -s "$2" "$ROOT$3"; then return; fi
  run install -D -m "$1" "$2" "$ROOT$3"
}

install_files() {
  put 644 "$HERE/zarbiter.sysusers.conf" "$SYSUSERS"
  put 644 "$HERE/zarbiter.tmpfiles.conf" "$TMPFILES"
  run_system systemd-sysusers "$SYSUSERS"
  run_system systemd-tmpfiles --create "$TMPFILES"
  write_config
  if [ ! -L "$ROOT$COMMAND" ] && [ -e "$ROOT$COMMAND" ]; then
    die "$COMMAND is there and not ours: move it away"
  fi
  run mkdir -p "$ROOT$(dirname "$COMMAND")"
  run ln -sfn "$PREFIX/current/bin/zarbiter" "$ROOT$COMMAND"
}

write_config() {
  if [ -e "$ROOT$CONFIG" ]; then say "configuration: $CONFIG is left as it is"; return; fi
  if [ -z "$language" ]; then
    case "${LC_ALL:-${LANG:-}}" in ru*) language=ru ;; *) language=en ;; esac
  fi
  say "configuration: $CONFIG"
  if $dry; then say "would write $CONFIG"; return; fi
  "$ROOT$release/bin/zarbiter" config init --pi --language "$language" "$ROOT$CONFIG" >/dev/null
  if $lan; then sed -i 's/^host = .*/host = "0.0.0.0"/' "$ROOT$CONFIG"; fi
}

# Reads the configuration as the service does: `as_service COMMAND…`.
as_service() { (cd / && HOME="$STATE" XDG_CONFIG_HOME="$STATE/config" "$@"); }

# What the service is going to use: "host port".
address() {
  as_service "$ROOT$PREFIX/current/bin/zarbiter" config show --json | "$ROOT$PREFIX/current/bin/python" -I -c '
import json, sys
values = json.load(sys.stdin)
print(values["web.host"], values["web.port"])'
}

announce() {  # mDNS, where the dashboard listens to the network
  if [ -n "$ROOT" ] || $dry || [ ! -d "$(dirname "$AVAHI")" ]; then return; fi
  local host port
  read -r host port < <(address) || return 0
  case "$host" in
    127.* | localhost | ::1) rm -f "$AVAHI" ;;
    *) sed "s/8080/$port/" "$PREFIX/current/deploy/zarbiter.avahi.service" >"$AVAHI" ;;
  esac
}

switch_to() {  # in one step: there is always a current release
  put 644 "$ROOT$1/deploy/zarbiter.service" "$UNIT"
  run ln -sfn "$1" "$ROOT$PREFIX/current.new"
  run mv -T "$ROOT$PREFIX/current.new" "$ROOT$PREFIX/current"
}

systemd_runs() { [ -z "$ROOT" ] && [ -d /run/systemd/system ]; }

answers() {
  local host port deadline
  read -r host port < <(address) || return 1
  case "$host" in 0.0.0.0 | ::) host=127.0.0.1 ;; esac
  deadline=$((SECONDS + ANSWER_S))
  while [ "$SECONDS" -lt "$deadline" ]; do
    if systemctl is-failed --quiet zarbiter; then return 1; fi
    if systemctl is-active --quiet zarbiter && "$PREFIX/current/bin/python" -I - "$host" "$port" <<'PY'
import sys, urllib.error, urllib.request
host, port = sys.argv[1:]
try:
    urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=2).close()
except urllib.error.HTTPError as error:
    # 503 is an answer too: the service runs and says what it lacks, such as a camera.
    sys.exit(error.code not in (200, 503))
except OSError:
    sys.exit(1)
PY
    then return 0; fi
    sleep 1
  done
  return 1
}

restart() {
  systemctl daemon-reload
  systemctl enable --quiet zarbiter
  systemctl restart zarbiter 9>&- # what is started must not hold this script's lock
}

activate() {
  local before
  before="$(current_release)"
  if ! $dry && ! as_service "$ROOT$release/bin/zarbiter" config check \
    ${ROOT:+"$ROOT$CONFIG"} >/dev/null; then
    die "the new release does not take the configuration (see above); the old one runs on"
  fi
  switch_to "$release"
  announce
  if $dry; then run systemctl restart zarbiter; return; fi
  if ! systemd_runs; then
    say "systemd is not running here: the service starts with the next boot"
    if [ -z "$ROOT" ] && command -v systemctl >/dev/null; then systemctl enable --quiet zarbiter || true; fi
    return
  fi
  if ! $start; then systemctl daemon-reload; say "not started, as asked"; return; fi
  if restart && answers; then return; fi
  warn "the new release does not answer; the last lines of its journal:"
  journalctl -u zarbiter -n 20 --no-pager -o cat >&2 2>/dev/null || true
  if [ -n "$before" ] && [ "$before" != "$release" ] && [ -x "$before/bin/zarbiter" ]; then
    switch_to "$before"
    rm -f "$release/.complete"
    if restart && answers; then die "went back to $before, which answers"; fi
    die "went back to $before, and it does not answer either: journalctl -u zarbiter -e"
  fi
  die "there is no earlier release to go back to: journalctl -u zarbiter -e"
}

prune() {  # the current release, the one before, and one more
  if $dry; then return; fi
  local now one old=()
  now="$(current_release)"
  mapfile -t old < <(cd "$ROOT$PREFIX/releases" && find . -mindepth 1 -maxdepth 1 -type d \
    -printf '%T@ %f\n' | sort -rn | cut -d' ' -f2 | tail -n "+$((KEEP + 1))")
  for one in "${old[@]}"; do
    if [ "$PREFIX/releases/$one" != "$now" ]; then rm -rf "$ROOT$PREFIX/releases/${one:?}"; fi
  done
}

do_install() {
  check_system
  install_packages
  find_wheel
  name_release
  build_release
  check_release
  keep_unit
  install_files
  activate
  prune
  say "installed: $release"
  if ! $dry && systemd_runs && $start; then tell_address; fi
}

tell_address() {
  local host port
  read -r host port < <(address) || return 0
  case "$host" in
    0.0.0.0 | ::)
      say "dashboard: http://$(hostname).local:$port/"
      hostname -I 2>/dev/null | tr ' ' '\n' | sed -n "/^[0-9.]\+\$/s|.*|           http://&:$port/|p"
      ;;
    *) say "dashboard: http://$host:$port/ (on this device alone; see web.host in $CONFIG)" ;;
  esac
}

do_rollback() {
  local now one
  now="$(current_release)"
  [ -n "$now" ] || die "nothing is installed"
  release=""
  while read -r one; do
    if [ "$PREFIX/releases/$one" != "$now" ] && [ -f "$ROOT$PREFIX/releases/$one/.complete" ]; then
      release="$PREFIX/releases/$one"
      break
    fi
  done < <(cd "$ROOT$PREFIX/releases" && find . -mindepth 1 -maxdepth 1 -type d \
    -printf '%T@ %f\n' | sort -rn | cut -d' ' -f2)
  [ -n "$release" ] || die "there is no other release to go back to"
  say "from $now to $release"
  activate
}

do_uninstall() {
  if systemd_runs && [ -f "$UNIT" ]; then run systemctl disable --now --quiet zarbiter || true; fi
  run rm -f "$ROOT$UNIT" "$ROOT$AVAHI" "$ROOT$SYSUSERS" "$ROOT$TMPFILES"
  run rm -f "$ROOT/etc/systemd/system/multi-user.target.wants/zarbiter.service"
  if [ -L "$ROOT$COMMAND" ]; then run rm -f "$ROOT$COMMAND"; fi
  run rm -rf "$ROOT$PREFIX"
  if systemd_runs; then run systemctl daemon-reload; fi
  say "removed. Left in place: the record in $STATE, the configuration in $(dirname "$CONFIG"),"
  say "the user zarbiter. To delete them for good:"
  say "  sudo rm -r $STATE $(dirname "$CONFIG") && sudo userdel zarbiter"
}

main() {
  parse "$@"
  check_rights
  case "$action" in
    install) do_install ;;
    rollback) do_rollback ;;
    uninstall) do_uninstall ;;
  esac
}

main "$@"
