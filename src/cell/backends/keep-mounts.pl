# Renews the mounts of protected paths in a running cell. The kernel drops a mount when another program of the host removes its
# mount point or renames something over it (rename(2), unlink(2)). This program enters the cell's mount namespace through the
# user namespace that owns it (ioctl_ns(2), setns(2)), waits for changes of mountinfo (proc(5)), and mounts what is at the
# path now over itself, without following a link. It is not visible in the cell, and ends when its standard input ends.
#
# Argument: the pid of the cell's init. Input: `ro|rw|mask PATH` for each mount, parents first, each ended by NUL, then an
# empty one. A mask hides a path and cannot be renewed. Output: `renewed PATH` and `lost PATH`, each ended by NUL.
use strict; no warnings;
my ($init) = @ARGV;
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my $SETNS = $arm ? 268 : 308;
my ($OPEN_TREE, $MOVE_MOUNT, $SETATTR) = (428, 429, 442);
my ($nothing, $here, $ENOENT, $ENOTDIR) = ('', -100, 2, 20);
sub say_nul { syswrite STDOUT, "$_[0]\0" }
sub fail { exit 1 }
open(my $namespace, '<', "/proc/$init/ns/mnt") or fail;
open(my $info, '<', "/proc/$init/mountinfo") or fail;
if ($> != 0) {
  my $owner = ioctl($namespace, 0xb701, 0) or fail;
  syscall($SETNS, $owner + 0, 0) == 0 or fail;
}
syscall($SETNS, fileno $namespace, 0) == 0 or fail;
chdir '/';
my ($input, @wanted) = ('');
until ($input =~ /(?:^|\0)\0$/) { sysread(STDIN, $input, 65536, length $input) or exit 0 }
for (split /\0/, $input) { push @wanted, [$1, $2] if /^(ro|rw|mask) (.*)/s }
my (%lost, %there);
sub missing {
  seek $info, 0, 0;
  %there = ();
  while (<$info>) { my $at = (split / /)[4]; $at =~ s/\\([0-7]{3})/chr oct $1/ge; $there{$at}++ }
  return grep { !$there{$_->[1]} && !$lost{$_->[1]} } @wanted;
}
sub absent { $! == $ENOENT || $! == $ENOTDIR ? 0 : -1 }
sub restrict { my ($tree, $ro) = @_; syscall($SETATTR, $tree, $nothing, 0x1000, pack('QQQQ', ($ro ? 1 : 0) | 2 | 4, 0, 0, 0), 32) == 0 }
sub place {
  my ($path, $writable) = @_;
  my $tree = syscall($OPEN_TREE, $here, $path, 1 | 02000000 | 0x100);
  return absent if $tree < 0;
  open(my $handle, '<&=', $tree) or return -1;
  return -1 unless restrict($tree, !$writable);
  return syscall($MOVE_MOUNT, $tree, $nothing, $here, $path, 4) == 0 ? 1 : absent;
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
