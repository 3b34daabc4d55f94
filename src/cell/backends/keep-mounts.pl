# Renews the mounts of protected paths in a running cell. The kernel drops a mount when another program of the host removes its
# mount point or renames something over it (rename(2), unlink(2)). This program enters the cell's mount namespace through the
# user namespace that owns it (ioctl_ns(2), setns(2)), waits for changes of mountinfo (proc(5)), and mounts what is at the
# path now over itself, without following a link. It is not visible in the cell, and ends when its standard input ends.
#
# Argument: the pid of the cell's init. Input: `ro|rw|mask|cover PATH` for each mount, parents first, each ended by NUL, then an
# empty one. A mask hides a path and cannot be renewed. A cover is over the link `PATH` and shows the file to which it leads,
# `paddock/config`, also after that file was replaced. Output: `renewed PATH` and `lost PATH`, each ended by NUL.
use strict; no warnings;
my ($init) = @ARGV;
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($SETNS, $OPENAT, $UMOUNT) = $arm ? (268, 56, 39) : (308, 257, 166);
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
for (split /\0/, $input) { push @wanted, [$1, $2] if /^(ro|rw|mask|cover) (.*)/s }
my (%lost, %there);
sub missing {
  seek $info, 0, 0;
  %there = ();
  while (<$info>) { my $at = (split / /)[4]; $at =~ s/\\([0-7]{3})/chr oct $1/ge; $there{$at}++ }
  return grep { !$there{$_->[1]} && !$lost{$_->[1]} } @wanted;
}
sub absent { $! == $ENOENT || $! == $ENOTDIR ? 0 : -1 }
sub restrict { my ($tree, $ro) = @_; syscall($SETATTR, $tree, $nothing, 0x1000, pack('QQQQ', ($ro ? 1 : 0) | 2 | 4, 0, 0, 0), 32) == 0 }
sub beside { my ($name, $path) = @_; $path =~ s/config$/paddock\/$name/r }
sub place {
  my ($from, $at, $onto, $writable) = @_;
  my $tree = syscall($OPEN_TREE, $here, $from, 1 | 02000000 | 0x100);
  return absent if $tree < 0;
  open(my $handle, '<&=', $tree) or return -1;
  return -1 unless restrict($tree, !$writable);
  return syscall($MOVE_MOUNT, $tree, $nothing, $at, $onto, $onto eq '' ? 4 | 0x40 : 4) == 0 ? 1 : absent;
}
# Nothing can be mounted over a file that is gone, such as the config after its replacement. So the first mount over the link shows a
# file that stays, and the one that is replaced lies over it.
sub cover {
  my ($path) = @_;
  if (!$there{$path}) {
    # O_PATH | O_NOFOLLOW | O_CLOEXEC
    my $link = syscall($OPENAT, $here, $path, 010000000 | ($arm ? 0100000 : 0400000) | 02000000, 0);
    return absent if $link < 0;
    open(my $handle, '<&=', $link) or return -1;
    # Another program has replaced the link by a config of its own.
    return place($path, $here, $path) unless -l $path;
    return -1 unless readlink($path) eq 'paddock/config';
    my $done = place(beside('start', $path), $link, $nothing);
    return $done if $done < 1;
  } elsif ($there{$path} > 1) {
    # MNT_DETACH | UMOUNT_NOFOLLOW
    syscall($UMOUNT, $path, 2 | 8);
  }
  return place(beside('config', $path), $here, $path);
}
# Returns 1: renewed, 0: the path does not exist now, -1: it cannot be renewed.
sub renew {
  my ($access, $path) = @{$_[0]};
  return -e $path || -l $path ? -1 : 0 if $access eq 'mask';
  return cover $path if $access eq 'cover';
  return place($path, $here, $path, $access eq 'rw');
}
my $tries = 0;
for (;;) {
  my @missing = missing;
  for my $each (@missing) {
    my $done = renew $each;
    $tries = 0 if $done > 0;
    if ($done > 0) { for (@wanted) { cover($_->[1]) if $_->[0] eq 'cover' && beside('config', $_->[1]) eq $each->[1] } }
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
