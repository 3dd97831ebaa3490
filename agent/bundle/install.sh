#!/bin/sh
# Installs the device agent on Linux and macOS. It needs tar, and curl or wget; the agent brings its own Node.js.
#
#   export DEVICE_AGENT_KEY_SECRET=...
#   curl -fsSL https://devices.example.org/downloads/install.sh |
#     sudo --preserve-env=DEVICE_AGENT_KEY_SECRET sh -s -- --server https://devices.example.org --tenant <guid> --key-id <guid>
#
# --sha256 <hash>     refuse every bundle but this one
# --key-secret-stdin  read the secret of the installer key from the first line of the standard input
# --prefix <folder>   where the program goes; by default /opt/device-agent as root, else ~/.local/opt/device-agent
# All other options are those of "device-agent install".
set -eu

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

# Takes back what this run has done, unless it has come to its end: a first installation leaves nothing behind, and another one
# leaves the version before. The agent itself takes back what "device-agent install" does.
clean_up() {
  trap - EXIT
  trap '' HUP INT TERM
  is_current=''
  # A signal may come when the agent is installed already.
  if [ -n "$sha256" ] && [ "$(readlink "$prefix/current")" = "versions/$sha256" ]; then is_current=1; fi
  if [ -n "$unpacked" ] && [ -z "$is_done$is_current" ]; then remove "$unpacked"; fi
  if [ -n "$work" ]; then
    if [ -d "$work/before" ] && [ ! -d "$version" ]; then mv "$work/before" "$version"; fi
    remove "$work"
  fi
  if [ -n "$is_done$is_current" ]; then return; fi
  if [ -n "$is_first" ]; then
    for left in device-agent current trial refused versions; do remove "$prefix/$left"; done
    # Folders that were missing, from the inside out. One that holds something else stays.
    folder=$prefix
    while [ -n "$outermost" ]; do
      rmdir "$folder" 2>/dev/null || [ ! -d "$folder" ] || [ -n "$(ls -A "$folder")" ] || echo "install.sh: $folder cannot be removed." >&2
      if [ "$folder" = "$outermost" ]; then break; fi
      folder=$(dirname "$folder")
    done
  fi
}

remove() {
  rm -rf "$1" || echo "install.sh: $1 cannot be removed. Remove it yourself." >&2
}

# The outermost folder of a path that is missing.
outermost_missing() {
  folder=$1 missing=''
  while [ ! -e "$folder" ] && [ ! -L "$folder" ]; do
    missing=$folder
    folder=$(dirname "$folder")
  done
  echo "$missing"
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail 'curl or wget is needed.'
  fi || fail "$1 cannot be downloaded."
}

# The status that a server answers to a JSON file, which goes to no other address. Nothing where that cannot be found out.
status_of_post() {
  if command -v curl >/dev/null 2>&1; then
    curl -sS -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' --data-binary "@$2" "$1"
  else
    case $(wget --help 2>&1) in
      *--max-redirect*)
        # It fails for every status that is no success.
        { wget -S --max-redirect=0 -O /dev/null --header='Content-Type: application/json' --post-file="$2" "$1" 2>&1 || true; } |
          sed -n 's/^ *HTTP\/[0-9.]* \([0-9]*\).*/\1/p' | sed -n '$p'
        ;;
    esac
  fi
}

# Checks that a device can be registered with the key, before the download. An unclear answer is left to the registration.
check_key() {
  case $key_id in *[!0-9A-Fa-f-]*) fail '--key-id must be a GUID.' ;; esac
  [ -n "${DEVICE_AGENT_KEY_SECRET-}" ] || fail 'The secret of the installer key is missing. Give it as DEVICE_AGENT_KEY_SECRET or with --key-secret-stdin.'
  # In a file of the caller alone, because others see command lines.
  secret=$(printf '%s' "$DEVICE_AGENT_KEY_SECRET" | sed 's/[\\"]/\\&/g')
  printf '{"installerKeyId":"%s","installerKeySecret":"%s"}' "$key_id" "$secret" >"$work/key.json"
  status=$(status_of_post "$server/api/agent/installer-keys/check" "$work/key.json") || fail "The server $server cannot be reached."
  rm -f "$work/key.json"
  case $status in
    400) fail 'The server cannot read the id or the secret of the installer key.' ;;
    404) fail 'The installer key is unknown, used up or expired. Create another one.' ;;
  esac
}

hash_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=osx ;;
    *) fail "There is no agent for $(uname -s)." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) echo "$system-x64" ;;
    aarch64 | arm64) echo "$system-arm64" ;;
    *) fail "There is no agent for $(uname -m)." ;;
  esac
}

# The value of a member of a flat JSON object that is a text without escapes.
member() {
  sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$2"
}

main() {
  server='' wanted='' prefix='' instance='' key_id=''
  count=$#
  while [ "$count" -gt 0 ]; do
    option=$1
    shift
    count=$((count - 1))
    case $option in
      --sha256 | --prefix | --server | --instance | --key-id)
        [ "$count" -gt 0 ] || fail "$option needs a value."
        value=$1
        shift
        count=$((count - 1))
        case $option in
          --sha256) wanted=$(printf '%s' "$value" | tr A-F a-f) ;;
          --prefix) prefix=$value ;;
          --server) server=${value%/} && set -- "$@" --server "$value" ;;
          --key-id) key_id=$value && set -- "$@" --key-id "$value" ;;
          --instance) instance=$value && set -- "$@" --instance "$value" ;;
        esac
        ;;
      --key-secret) fail 'Give the secret as DEVICE_AGENT_KEY_SECRET or with --key-secret-stdin: others could see it here.' ;;
      --key-secret-stdin)
        IFS= read -r DEVICE_AGENT_KEY_SECRET || [ -n "$DEVICE_AGENT_KEY_SECRET" ] || fail 'The standard input has no secret.'
        export DEVICE_AGENT_KEY_SECRET
        ;;
      *) set -- "$@" "$option" ;;
    esac
  done
  [ -n "$server" ] || fail '--server is missing.'
  case $instance in *[!A-Za-z0-9_-]*) fail '--instance may hold letters, digits, "-" and "_" only.' ;; esac
  name=device-agent${instance:+-$instance}
  if [ -z "$prefix" ]; then
    if [ "$(id -u)" -eq 0 ]; then prefix=/opt/$name; else prefix=$HOME/.local/opt/$name; fi
  fi

  is_done='' sha256='' version='' unpacked='' work='' is_first=''
  outermost=$(outermost_missing "$prefix")
  if [ ! -L "$prefix/current" ]; then is_first=1; fi
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkdir -p "$prefix/versions"
  work=$(mktemp -d "$prefix/install.XXXXXX")
  if [ -n "$key_id" ]; then check_key; fi
  fetch "$server/downloads/$(platform)/device-agent.json" "$work/bundle.json"
  sha256=$(member sha256 "$work/bundle.json")
  [ "${#sha256}" -eq 64 ] || fail 'The server answered no description of a bundle.'
  [ -z "$wanted" ] || [ "$wanted" = "$sha256" ] || fail "The server offers the bundle $sha256 instead of $wanted."
  fetch "$server/downloads/$(platform)/device-agent.tar.gz" "$work/bundle.tar.gz"
  actual=$(hash_of "$work/bundle.tar.gz")
  [ "$actual" = "$sha256" ] || fail "The bundle has the hash $actual instead of $sha256."

  mkdir "$work/bundle"
  tar -xzf "$work/bundle.tar.gz" -C "$work/bundle" || fail 'The bundle cannot be unpacked.'
  version=$prefix/versions/$sha256
  # One that is there may be damaged.
  if [ -d "$version" ]; then mv "$version" "$work/before"; fi
  unpacked=$version
  mv "$work/bundle" "$version"
  # It makes itself the current version, or leaves the one before when it cannot be installed.
  "$version/runtime/bin/node" "$version/dist/agent/src/main.js" install "$@" </dev/null
  [ "$(readlink "$prefix/current")" = "versions/$sha256" ] || fail 'This bundle is older than install.sh. Build both together.'
  is_done=1
}

main "$@"
