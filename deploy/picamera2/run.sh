#!/usr/bin/env bash
# The real picamera2 on libcamera's virtual camera: tests/hardware/test_picamera2_real.py.
#
# No Raspberry Pi, no kernel device and no container is needed: a Debian 13 root is unpacked once
# (about 1.4 GB, two minutes) and used again while this recipe stays the same. Needs root, and a
# Debian mirror and PyPI in reach. Where it cannot be built the job is skipped with the reason and
# ends with 0; ZARBITER_REQUIRE_PICAMERA2=1 makes that a failure.
#
#   ZARBITER_CHROOT  where the root lies (build/picamera2)
set -euo pipefail
cd "$(dirname "$0")/../.."

root=${ZARBITER_CHROOT:-build/picamera2}
suite=trixie
mark=.zarbiter-test-root
# Private members of picamera2 are overridden in tests/hardware/virtual_camera.py: hence a pin.
requirements=(
  picamera2==0.3.38 opencv-python-headless==4.13.* numpy
  pytest pytest-timeout pytest-randomly hypothesis
)

skip() {
  echo "SKIPPED: test-picamera2: $*" >&2
  echo "The real picamera2 was NOT tried." >&2
  exit "${ZARBITER_REQUIRE_PICAMERA2:-0}"
}

inside() { # a command in the root, with /proc, and mounts that end with it
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare --mount bash -c 'mount -t proc proc "$1/proc" && root=$1 && shift &&
    exec chroot "$root" "$@"' inside "$root" \
    /usr/bin/env -i PATH=/v/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    PIP_CERT=/etc/ssl/certs/builder.crt \
    ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

build() {
  if test -e "$root" && ! test -f "$root/$mark"; then
    echo "$root is there already and is none of ours: it is left alone" >&2
    return 1
  fi
  rm -rf --one-file-system "$root"
  mkdir -p "$root" && touch "$root/$mark" || return 1
  local include=python3,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev,libarchive13t64
  timeout 1200 debootstrap --variant=minbase --include="$include,ca-certificates" \
    "$suite" "$root" || return 1
  # The certificates that the builder trusts, for one behind a proxy of its own.
  cp "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/ssl/certs/builder.crt" || return 1
  cp /etc/resolv.conf "$root/etc/resolv.conf" || true
  local line site
  line=$(grep -m1 "^deb .* $suite " "$root/etc/apt/sources.list") || return 1
  echo "${line/ $suite / $suite-backports }" > "$root/etc/apt/sources.list.d/backports.list"
  inside apt-get update -q || return 1
  # libcamera 0.4 of the suite itself drops every virtual frame; 0.7 of the backports works.
  inside apt-get install -y -q --no-install-recommends -t "$suite-backports" \
    python3-libcamera libcamera-ipa || return 1
  inside python3 -m venv --system-site-packages /v || return 1
  inside pip install -q "${requirements[@]}" || return 1
  # Only picamera2's preview on a screen uses it, and it is a package of Raspberry Pi OS.
  site=$(echo "$root"/v/lib/python3*/site-packages)
  {
    echo "class PixelFormat:"
    echo "    RGB888 = BGR888 = XRGB8888 = XBGR8888 = YUV420 = YVU420 = MJPEG = YUYV = NV12 = 0"
  } > "$site/pykms.py" || return 1
}

test "$(uname -s)" = Linux || skip "it needs Linux"
test "$(id -u)" = 0 || skip "building a Debian root needs root: sudo make test-picamera2"
if ! command -v debootstrap > /dev/null; then
  { apt-get update -q && apt-get install -y -q --no-install-recommends debootstrap; } ||
    skip "debootstrap cannot be installed"
fi
unshare --mount true 2> /dev/null || skip "no mounts are allowed here"

stamp=$root/recipe
recipe=$(sha256sum "$0" | cut -d' ' -f1)
if ! test -f "$stamp" || test "$(cat "$stamp")" != "$recipe"; then
  build || skip "the Debian $suite root could not be built (see above)"
  echo "$recipe" > "$stamp"
fi

rm -rf "$root/zarbiter"
mkdir -p "$root/zarbiter/tests/hardware"
cp -r hardware pyproject.toml "$root/zarbiter/"
cp tests/__init__.py tests/conftest.py "$root/zarbiter/tests/"
cp -r tests/hardware "$root/zarbiter/tests/"
inside sh -c 'cd /zarbiter && ZARBITER_VIRTUAL_CAMERA=1 python -m pytest -v -p no:cacheprovider \
  tests/hardware/test_picamera2_real.py'
