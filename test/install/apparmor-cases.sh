# Runs in the guest of apparmor.deep.test.ts. Prints "=== NAME CODE" and the output of each case.

# try NAME COMMAND…
try() {
  local name=$1 code
  shift
  "$@" </dev/null >/tmp/output 2>&1
  code=$?
  echo "=== $name $code"
  cat /tmp/output
  echo
}
# as_ann COMMAND…: as a user whom the rule affects
as_ann() { aa-exec -p anybody -- setpriv --reuid ann --regid ann --init-groups -- env HOME=/home/ann USER=ann "$@"; }
# as_free COMMAND…: as a user whom it does not affect
as_free() { setpriv --reuid ann --regid ann --init-groups -- env HOME=/home/ann USER=ann "$@"; }
in_cell() { node /opt/paddock/bin/paddock.mjs run "$@"; }
profiles() { sed -n 's/^\(paddock-[^ ]*\) .*/\1/p' /sys/kernel/security/apparmor/profiles | sort; }

useradd --create-home ann
install -d -o ann -g ann /home/ann/project /root/project
cd /home/ann/project || exit
modprobe tun && chmod 0666 /dev/net/tun
export -f in_cell profiles

# A router with a web server that has a public and an internal address.
mkdir -p /run/netns /tmp/site
echo 'hello from the internet' >/tmp/site/index.html
ip netns add internet
ip link add near type veth peer name far netns internet
ip address add 192.0.2.1/24 dev near
ip link set near up
ip -n internet address add 192.0.2.2/24 dev far
for each in 93.184.216.34 10.1.2.3; do ip -n internet address add "$each/32" dev lo; done
for each in lo far; do ip -n internet link set "$each" up; done
ip route add default via 192.0.2.2
ip netns exec internet busybox httpd -p 80 -h /tmp/site
for each in /home/ann /root; do
  cat >"$each/project/fetch" <<'END'
for each in 93.184.216.34 10.1.2.3; do
  (exec 3<>"/dev/tcp/$each/80" && printf 'GET / HTTP/1.0\r\n\r\n' >&3 && grep hello <&3) 2>/dev/null || echo "$each: nothing"
done
END
  cat >"$each/project/inside" <<'END'
for each in 'unshare --user true' 'unshare --mount true' 'mount -t tmpfs none /tmp' 'chroot / true' 'ip link set lo down'; do
  $each >/dev/null 2>&1 && echo "$each works"
done
id --user
cat /proc/self/attr/current
tty || true
END
done

apparmor_parser -r /opt/rule /etc/apparmor.d/usr.bin.pasta
try without-profile as_ann bash -c 'in_cell -- true'

try install sh /opt/profile/install.sh
try loaded profiles

try user-off as_ann bash -c 'in_cell --egress off -- bash inside'
try user-allowlist as_ann bash -c 'in_cell -- bash inside'
try user-terminal as_ann script -qec 'node /opt/paddock/bin/paddock.mjs run -- bash inside' /dev/null
try user-public as_ann bash -c 'in_cell --egress public -- bash fetch'
# Debian's own profile for pasta applies here.
try free-public as_free bash -c 'in_cell --egress public -- bash fetch'
# The guarantees that depend on namespaces, mounts and capabilities. All would take half an hour.
only=()
for each in no-mounts no-new-namespaces no-privileges kernel-files-closed host-files-absent proc-leads-nowhere read-only-mounts-stay-so \
  system-read-only shared-files-apart later-not-remounted processes-not-traced host-processes-untouchable; do only+=(--only "$each"); done
try user-verify as_ann node /opt/paddock/bin/paddock.mjs verify "${only[@]}"
try doctor as_ann node /opt/paddock/bin/paddock.mjs doctor
cd /root/project || exit
try root-off bash -c 'in_cell --egress off -- bash inside'
try root-allowlist bash -c 'in_cell -- bash inside'
try root-terminal script -qec 'node /opt/paddock/bin/paddock.mjs run -- bash inside' /dev/null
try root-verify node /opt/paddock/bin/paddock.mjs verify "${only[@]}"
try root-public bash -c 'in_cell --egress public -- bash fetch'

# A kernel setting that this kernel does not have.
cd /home/ann/project || exit
cp -r /proc/sys/kernel /run/kernel 2>/dev/null
echo 1 >/run/kernel/apparmor_restrict_unprivileged_userns
export -f as_ann
try nested unshare --mount bash -c 'mount --bind /run/kernel /proc/sys/kernel && as_ann bash -c "in_cell --nested-sandbox -- true"'

# What a stranger may try with the copies. Each prints its name if it works.
cat >/tmp/stranger <<'END'
copies=/usr/lib/paddock
works() { local name=$1; shift; "$@" >/dev/null 2>&1 && echo "$name"; }
mkdir -p ~/bin
cp "$copies/bwrap" "$copies/unshare" ~/bin/
works unshare unshare --user --map-root-user --mount true
works bwrap bwrap --unshare-user --ro-bind / / true
works 'a copy of unshare elsewhere' ~/bin/unshare --user --map-root-user true
works 'a copy of bwrap elsewhere' ~/bin/bwrap --unshare-user --ro-bind / / true
works 'our bwrap without our unshare' "$copies/bwrap" --unshare-user --ro-bind / / true
works 'another program from our unshare' "$copies/unshare" --user --map-root-user true
works 'a mount of our unshare' "$copies/unshare" --user --map-root-user --mount "$copies/bwrap" --ro-bind / / true
through=("$copies/unshare" --user --map-root-user --net -- "$copies/bwrap" --dev-bind / / --cap-add ALL)
works 'our bwrap from our unshare' "${through[@]}" true
works 'a mount in our bwrap' "${through[@]}" mount -t tmpfs none /mnt
works 'a network device in our bwrap' "${through[@]}" ip link set lo up
works 'a chroot in our bwrap' "${through[@]}" chroot / true
works 'a namespace in our bwrap' "${through[@]}" unshare --user true
works 'our unshare in our bwrap' "${through[@]}" "$copies/unshare" --user "$copies/bwrap" --ro-bind / / true
cp /usr/lib/*/libm.so.6 ~/bin/library.so
works 'a library of the stranger in our unshare' bash -c '! LD_PRELOAD=$HOME/bin/library.so "$@" 2>&1 | grep "cannot be preloaded"' sh "${through[@]}" true
works 'a library of the stranger in our bwrap' bash -c 'LD_PRELOAD=$HOME/bin/library.so "$@" 2>/dev/null | grep LD_PRELOAD' sh "${through[@]}" env
true
END
try stranger as_ann bash /tmp/stranger
sed 's/^  deny \(capability\|mount\|userns\),/  \1,/' /etc/apparmor.d/paddock >/tmp/cell-weakened
apparmor_parser -r /tmp/cell-weakened
try stranger-weakened-cell as_ann bash /tmp/stranger
cat >/tmp/unconfined <<'END'
abi <abi/4.0>,
profile paddock-unshare /usr/lib/paddock/unshare flags=(unconfined) { userns, }
profile paddock-bwrap /usr/lib/paddock/bwrap flags=(unconfined) { userns, }
END
apparmor_parser -r /tmp/unconfined
try stranger-unconfined as_ann bash /tmp/stranger

try again sh /opt/profile/install.sh
try stranger-again as_ann bash /tmp/stranger

try remove sh /opt/profile/remove.sh
try removed bash -c 'profiles; ls /usr/lib/paddock /etc/apparmor.d/paddock'
