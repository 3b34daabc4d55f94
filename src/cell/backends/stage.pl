# The first program of the chain when Paddock runs as root, written in Perl because it needs system calls that no standard
# program offers on every system (Perl is essential on Debian and similar systems; mount(8) supports idmapped mounts only
# since util-linux 2.39). It creates a mount namespace, mounts each directory that the cell may see at a path
# that an unprivileged user can reach, as an idmapped mount (mount_setattr(2), Linux 5.12) on which the owner of the
# files is the cell's unprivileged uid, and permanently becomes that uid. So the agent is an unknown user on the host, and
# files that it writes get the owner of the directory.
#
# First it moves itself into the control group of the cell. If that is refused, the host must do it. Finally it creates pipes at
# descriptors: the cell has the end for reading or for writing, and the host opens the other end through /proc/PID/fd.
#
# Arguments: UID GID, then `enter FILE`, then `read|write DESCRIPTOR`, then `map|either SOURCE STAGED OWNER_UID OWNER_GID` for each,
# then `--` and the command. `either` makes a plain mount if the file system has no idmapped ones.
# Prints what failed to standard error in one line and exits with 125.
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($UNSHARE, $MOUNT, $OPEN_TREE, $MOVE_MOUNT, $SETATTR) = ($arm ? 97 : 272, $arm ? 40 : 165, 428, 429, 442);
sub fail { print STDERR "paddock-stage: $_[0]\n"; exit 125 }
my ($uid, $gid) = splice @ARGV, 0, 2;
# The cell must be able to enter the staging directories. Its programs get the umask of the caller.
my $umask = umask 022;
while (@ARGV && $ARGV[0] eq 'enter') { my (undef, $file) = splice @ARGV, 0, 2; if (open(my $tasks, '>', $file)) { syswrite $tasks, '0' } }
my @pipes;
while (@ARGV && $ARGV[0] =~ /^(read|write)$/) { push @pipes, [splice @ARGV, 0, 2] }
my @stage;
while (@ARGV && $ARGV[0] ne '--') { push @stage, [splice @ARGV, 0, 5] }
shift;
my $nothing = "";
syscall($UNSHARE, 0x00020000) == 0 or fail("no mount namespace: $!");
{ my ($none, $root) = ("none", "/"); syscall($MOUNT, $none, $root, $nothing, 0x4000 | 0x40000, $nothing) == 0 or fail("cannot make mounts private: $!"); }
my %namespace;
sub namespace {
  my ($u, $g) = @_;
  return $namespace{"$u:$g"} if $namespace{"$u:$g"};
  pipe(my $ready, my $tell); pipe(my $wait, my $go);
  my $child = fork() // fail("cannot fork: $!");
  if ($child == 0) { close $ready; close $go; my $ok = syscall($UNSHARE, 0x10000000) == 0; syswrite $tell, chr($ok ? 0 : $!); sysread $wait, my $byte, 1; kill 9, $$ }
  close $tell; close $wait; sysread $ready, my $answer, 1;
  $! = $answer eq '' ? 0 : ord $answer;
  fail("no user namespace: $!") if $answer ne chr 0;
  for (["uid_map", $u, $uid], ["gid_map", $g, $gid]) {
    open(my $map, '>', "/proc/$child/$_->[0]") or fail("$_->[0]: $!");
    syswrite($map, "$_->[1] $_->[2] 1\n") or fail("$_->[0]: $!");
  }
  open(my $handle, '<', "/proc/$child/ns/user") or fail("user namespace: $!");
  close $go; waitpid $child, 0;
  return $namespace{"$u:$g"} = $handle;
}
my @trees;
for my $each (@stage) {
  my ($how, $source, $staged, $u, $g) = @$each;
  my ($done, $EINVAL) = (0, 22);
  for my $recursive (0x8000, 0) {
    my $tree = syscall($OPEN_TREE, -100, $source, 1 | 02000000 | $recursive);
    fail("$source: $!") if $tree < 0;
    my $attributes = pack('QQQQ', 0x00100000, 0, 0, fileno namespace($u, $g));
    next if syscall($SETATTR, $tree, $nothing, 0x1000 | $recursive, $attributes, 32) != 0 && !($how eq 'either' && !$recursive && $! == $EINVAL);
    push @trees, [$tree, $source, $staged]; $done = 1; last;
  }
  fail("$source: no idmapped mount: $!") unless $done;
}
{ my ($type, $run, $mode) = ("tmpfs", "/run", "mode=0755,size=1m"); syscall($MOUNT, $type, $run, $type, 0, $mode) == 0 or fail("no staging directory: $!"); }
mkdir "/run/paddock", 0755;
# The cell's user mounts overlays of the host's directories here (`overlays.pl`).
mkdir "/run/paddock/overlays", 0700; chown $uid, $gid, "/run/paddock/overlays";
for my $each (@trees) {
  my ($tree, $source, $staged) = @$each;
  if (-d $source) { mkdir $staged, 0755 } else { open(my $file, '>', $staged) }
  syscall($MOVE_MOUNT, $tree, $nothing, -100, $staged, 4) == 0 or fail("$source: cannot be staged: $!");
}
umask $umask;
my ($SETGROUPS, $SETRESGID, $SETRESUID) = $arm ? (159, 149, 147) : (116, 119, 117);
my $groups = pack('L', $gid);
for ([$SETGROUPS, 1, $groups], [$SETRESGID, $gid + 0, $gid + 0, $gid + 0], [$SETRESUID, $uid + 0, $uid + 0, $uid + 0]) {
  my ($number, @with) = @$_;
  (@with == 2 ? syscall($number, $with[0], $groups) : syscall($number, @with)) == 0 or fail("cannot give up root: $!");
}
open(my $status, '<', '/proc/self/status') or fail("cannot see itself");
my $seen = join '', <$status>;
fail("still has privileges") unless $seen =~ /^Uid:\s+$uid\s+$uid\s+$uid\s+$uid$/m && $seen =~ /^Gid:\s+$gid\s+$gid\s+$gid\s+$gid$/m && $seen =~ /^CapEff:\s+0+$/m && $seen =~ /^CapPrm:\s+0+$/m;
my $DUP3 = $arm ? 24 : 292;
for (@pipes) {
  my ($end, $descriptor) = @$_;
  pipe(my $reading, my $writing) or fail("no pipe: $!");
  syscall($DUP3, fileno($end eq 'read' ? $reading : $writing), $descriptor + 0, 0) >= 0 or fail("no pipe at $descriptor: $!");
}
chdir "/"; exec { $ARGV[0] } @ARGV or fail("$ARGV[0]: $!");
