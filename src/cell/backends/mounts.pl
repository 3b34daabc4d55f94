# Makes mounts in a cell that is built but has not started, and renews protected ones while it runs. bwrap(1) reads all of mountinfo
# (proc(5)) for each mount and cannot make a link a mount point, so Paddock leaves the many small mounts and the links to this program. It
# enters the cell's mount namespace through the user namespace that owns it (ioctl_ns(2), setns(2)), so it is not visible in the cell.
#
# The kernel drops a mount when another program of the host removes its mount point or renames something over it (rename(2), unlink(2)).
# So this program waits for changes of mountinfo, and mounts what is at the path now over itself, without following a link.
#
# Input: two lists of parts. Each part is ended by NUL, and each list by an empty part. It ends when its input ends.
# 1. The pid of the cell's init, then, in this order:
#    `put SOURCE TARGET`  mounts what is at SOURCE read-only, and creates TARGET (three parts)
#    `drop PATH`          removes the mount at PATH, if there is one, with everything below it, and its directory (two parts, as the next)
#    `link PATH`          makes the link at PATH a mount point; leaves it as it is if that is not possible
#    `seal PATH`          makes the mount at PATH read-only
#    Output: an empty part, or what failed.
# 2. `ro|rw|mask PATH` for each mount that is renewed, parents first. A mask hides a path and cannot be renewed.
#    Output: `renewed PATH` and `lost PATH`, each ended by NUL.
use strict; no warnings;
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($SETNS, $UMOUNT, $SETGROUPS, $SETRESGID, $SETRESUID) = $arm ? (268, 39, 159, 149, 147) : (308, 166, 116, 119, 117);
my ($OPEN_TREE, $MOVE_MOUNT, $SETATTR) = (428, 429, 442);
my ($nothing, $here, $ENOENT, $ENOTDIR) = ('', -100, 2, 20);
umask 022;
sub say_nul { syswrite STDOUT, "$_[0]\0" }
sub fail { say_nul $_[0]; exit 1 }
sub list {
  my $input = '';
  until ($input =~ /(?:^|\0)\0$/) { sysread(STDIN, $input, 65536, length $input) or exit 0 }
  return split /\0/, $input;
}
my ($init, @make) = list;
open(my $namespace, '<', "/proc/$init/ns/mnt") or fail('the cell has ended');
open(my $info, '<', "/proc/$init/mountinfo") or fail('the cell has ended');
if ($> == 0) {
  # The root of the cell belongs to its uid, and no other can create files in it.
  my ($uid, $gid) = map { my $id = $_; open(my $status, '<', "/proc/$init/status"); map { /^$id:\s+(\d+)/ } <$status> } 'Uid', 'Gid';
  fail('the cell has ended') unless defined $gid;
  fail("cannot become $uid: $!") unless syscall($SETGROUPS, 0, 0) == 0 && syscall($SETRESGID, $gid + 0, $gid + 0, $gid + 0) == 0 && syscall($SETRESUID, $uid + 0, $uid + 0, $uid + 0) == 0;
}
my $owner = ioctl($namespace, 0xb701, 0) or fail("no user namespace: $!");
syscall($SETNS, $owner + 0, 0) == 0 or fail("cannot enter the user namespace: $!");
syscall($SETNS, fileno $namespace, 0) == 0 or fail("cannot enter the mount namespace: $!");
chdir '/';
# Returns what is at a path as a mount of its own, without set-ID and devices. More flags of open_tree(2): AT_RECURSIVE,
# AT_SYMLINK_NOFOLLOW.
sub tree {
  my ($path, $ro, $more) = @_;
  my $tree = syscall($OPEN_TREE, $here, $path, 1 | 02000000 | $more);
  return if $tree < 0;
  open(my $handle, '<&=', $tree) or return;
  my $attributes = pack('QQQQ', ($ro ? 1 : 0) | 2 | 4, 0, 0, 0);
  return syscall($SETATTR, $tree, $nothing, 0x1000 | ($more & 0x8000), $attributes, 32) == 0 ? $handle : ();
}
sub move_to { my ($tree, $path) = @_; return syscall($MOVE_MOUNT, fileno $tree, $nothing, $here, $path, 4) == 0 }
sub directory {
  my ($path) = @_;
  return if $path eq '' || -d $path;
  directory($path =~ s{/[^/]*$}{}r);
  mkdir $path, 0755 or fail("$path: $!");
}
sub put {
  my ($source, $target) = @_;
  my $tree = tree($source, 1, 0x8000) or fail("$target: $!");
  directory(-d $source ? $target : $target =~ s{/[^/]*$}{}r);
  if (!-e $target) { open(my $file, '>', $target) or fail("$target: $!") }
  move_to($tree, $target) or fail("$target: $!");
}
# A directory with a mount cannot be removed, so this fails if the mount is still there.
sub drop { my ($path) = @_; syscall($UMOUNT, $path, 2); rmdir $path or fail("$path: $!") }
sub seal { my ($path) = @_; my $attributes = pack('QQQQ', 1, 0, 0, 0); syscall($SETATTR, $here, $path, 0, $attributes, 32) == 0 or fail("$path: $!") }
while (@make) {
  my ($how, $path) = splice @make, 0, 2;
  if ($how eq 'put') { put($path, shift @make) }
  elsif ($how eq 'drop') { drop($path) }
  elsif ($how eq 'seal') { seal($path) }
  elsif (my $tree = tree($path, 1, 0x100)) { move_to($tree, $path) }
}
say_nul '';
my @wanted;
for (list) { push @wanted, [$1, $2] if /^(ro|rw|mask) (.*)/s }
my (%lost, %there);
sub missing {
  seek $info, 0, 0;
  %there = ();
  while (<$info>) { my $at = (split / /)[4]; $at =~ s/\\([0-7]{3})/chr oct $1/ge; $there{$at}++ }
  return grep { !$there{$_->[1]} && !$lost{$_->[1]} } @wanted;
}
sub absent { $! == $ENOENT || $! == $ENOTDIR ? 0 : -1 }
sub place {
  my ($path, $writable) = @_;
  my $tree = tree($path, !$writable, 0x100);
  return $tree ? (move_to($tree, $path) ? 1 : absent) : absent;
}
# Returns 1: renewed, 0: the path does not exist now, -1: it cannot be renewed.
sub renew {
  my ($access, $path) = @{$_[0]};
  return -e $path || -l $path ? -1 : 0 if $access eq 'mask';
  return place($path, $access eq 'rw');
}
my $tries = 0;
for (;;) {
  my @missing = missing;
  for my $each (@missing) {
    my $done = renew $each;
    $tries = 0 if $done > 0;
    if ($done != 0) { $lost{$each->[1]} = 1 if $done < 0; say_nul(($done > 0 ? 'renewed ' : 'lost ') . $each->[1]) }
  }
  @missing = missing if @missing;
  # A path that is gone is looked for again: quickly while a program replaces it, then slowly.
  $tries = @missing ? $tries + 1 : 0;
  my $wait = !@missing ? undef : $tries < 100 ? .001 : $tries < 300 ? .01 : .1;
  my ($read, $changed) = ('', '');
  vec($read, 0, 1) = 1;
  vec($changed, fileno $info, 1) = 1;
  select $read, undef, $changed, $wait;
  exit 0 if vec($read, 0, 1);
}
