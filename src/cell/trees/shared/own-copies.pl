# Replaces files by copies of themselves, so that other names of these files (hard links) lead to other files. A copy has the same
# content, mode, owner, times and extended attributes. Programs of the host may write to the files meanwhile, so a copy only takes the
# place of a file that has not changed since it was copied and that nobody has open for writing (fcntl(2), F_SETLEASE). Copies have no
# name until then (open(2), O_TMPFILE), and are on the disk before they get one (syncfs(2)).
#
# Input, each part ended by NUL: for each file its names, as absolute paths, then an empty part. Files that have no other names any
# more are skipped. Output: nothing, or the first file that cannot be replaced and the reason, each ended by NUL. Files before it stay
# replaced.
use strict; no warnings;
use Fcntl qw(O_RDONLY O_RDWR O_CREAT O_EXCL O_NOFOLLOW O_NONBLOCK O_DIRECTORY);
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($STATX, $UTIMENSAT, $LINKAT, $RENAMEAT2, $SYNCFS) = $arm ? (291, 88, 37, 276, 267) : (332, 280, 265, 316, 306);
my ($FSETXATTR, $FGETXATTR, $FLISTXATTR) = $arm ? (7, 10, 13) : (190, 193, 196);
my ($EAGAIN, $ENOENT, $EEXIST, $EINVAL) = (11, 2, 17, 22);
my ($HERE, $EXCHANGE) = (-100, 2);
my $nothing = '';
# The number of files that are copied before they are made permanent. Each uses two descriptors.
my $most = 200;
my ($wanted, @batch, @again) = (0);
# The kernel sends this signal if another program opens a file for writing while this one has a lease on it.
$SIG{IO} = sub { $wanted = 1 };
umask 0;
sub fail {
  my ($path, $why) = @_;
  for (@batch) { unlink $_->{temporary} if $_->{temporary} ne '' }
  syswrite STDOUT, "$path\0$why\0";
  exit 0;
}
sub facts {
  my ($handle) = @_;
  my $facts = "\0" x 256;
  syscall($STATX, fileno $handle, $nothing, 0x1000, 0x7ff, $facts) == 0 or return;
  my ($names, $uid, $gid, $mode) = unpack 'x16 L L L S', $facts;
  my ($inode, $size, $blocks) = unpack 'x32 Q Q Q', $facts;
  my ($accessed, $changed, $modified, $device) = map { substr $facts, $$_[0], $$_[1] } [64, 12], [96, 12], [112, 12], [136, 8];
  return { names => $names, uid => $uid, gid => $gid, mode => $mode, inode => $inode, size => $size, blocks => $blocks,
    accessed => $accessed, changed => $changed, modified => $modified, device => $device };
}
sub same { my ($a, $b) = @_; !grep { $a->{$_} ne $b->{$_} } qw(uid gid mode inode size changed modified device) }
my $at = '';
# Enters the directory of a path, which must have no links in it. Returns the name in it.
sub enter {
  my ($directory, $name) = $_[0] =~ m{^(.*)/([^/]+)$}s or return;
  $directory = '/' if $directory eq '';
  return $name if $directory eq $at;
  $at = '';
  chdir $directory or return;
  readlink('/proc/self/cwd') eq $directory or return;
  $at = $directory;
  return $name;
}
# True until the file system refuses to share the blocks of two files (ioctl_ficlone(2)).
my $clones = 1;
sub copy {
  my ($from, $to, $size, $isSparse) = @_;
  return 1 if $size == 0 || ($clones && ioctl($to, 0x40049409, fileno $from));
  $clones = 0;
  my $end = 0;
  for (my $start = 0; $start < $size; $start = $end) {
    if ($isSparse) {
      $start = sysseek($from, $start, 3) or last;
      $start += 0;
      $end = sysseek($from, $start, 4) + 0;
      sysseek $from, $start, 0; sysseek $to, $start, 0;
    } else { $end = $size }
    for (my $left = $end - $start; $left > 0;) {
      my $read = sysread $from, my $bytes, $left < 1048576 ? $left : 1048576;
      return 0 unless defined $read;
      return 1 if $read == 0;
      for (my $written = 0; $written < $read;) { $written += syswrite($to, $bytes, $read - $written, $written) // return 0 }
      $left -= $read;
    }
  }
  return !$isSparse || truncate $to, $size;
}
sub attributes {
  my ($from, $to) = @_;
  my $list = "\0" x 65536;
  my $length = syscall($FLISTXATTR, fileno $from, $list, 65536);
  return 1 if $length <= 0;
  for my $name (split /\0/, substr $list, 0, $length) {
    # Labels and checksums of the kernel are its own business.
    next unless $name =~ /^(user\.|system\.posix_acl_|security\.capability$)/;
    my $value = "\0" x 65536;
    my $bytes = syscall($FGETXATTR, fileno $from, $name, $value, 65536);
    return 0 if $bytes < 0 || syscall($FSETXATTR, fileno $to, $name, $value, $bytes + 0, 0) != 0;
  }
  return 1;
}
my $random = do { open(my $f, '<', '/dev/urandom'); sysread $f, my $bytes, 6; unpack 'Q', $bytes . "\0\0" };
# Returns a name that `find-shared.ts` recognizes.
sub new_name { sprintf '.paddock-own-%012x', $random++ & 0xffffffffffff }
# Copies a file. Returns nothing if it is not to be replaced.
sub prepare {
  my (@paths) = @_;
  my $name = enter($paths[0]) // return;
  sysopen(my $from, $name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) or $! == $ENOENT ? return : fail($paths[0], "cannot be read ($!)");
  my $was = facts($from) or fail($paths[0], "cannot be read ($!)");
  return if ($was->{mode} & 0170000) != 0100000 || $was->{names} <= @paths;
  my $temporary = '';
  my $to;
  if (!sysopen($to, '.', O_RDWR | O_DIRECTORY | 020000000, 0600)) {
    $temporary = new_name;
    sysopen($to, $temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600) or fail($paths[0], "cannot be copied ($!)");
    $temporary = "$at/$temporary";
  }
  my $drop = sub { unlink $temporary if $temporary ne ''; fail($paths[0], $_[0]) };
  copy($from, $to, $was->{size}, $was->{blocks} * 512 < $was->{size}) or $drop->("cannot be copied ($!)");
  my $new = facts($to);
  if ($new->{uid} != $was->{uid} || $new->{gid} != $was->{gid}) {
    chown $was->{uid}, $was->{gid}, $to or $drop->('belongs to another user');
  }
  attributes($from, $to) or $drop->("has attributes that cannot be copied ($!)");
  chmod $was->{mode} & 07777, $to;
  my $times = pack 'qqqq', map { my ($s, $n) = unpack 'qL', $_; ($s, $n) } $was->{accessed}, $was->{modified};
  syscall($UTIMENSAT, fileno $to, 0, $times, 0) == 0 or $drop->("cannot be copied ($!)");
  !($was->{mode} & 06000) || facts($to)->{mode} == $was->{mode} or $drop->('has a mode that cannot be copied');
  return { paths => \@paths, from => $from, to => $to, was => $was, temporary => $temporary };
}
# Puts a copy in the place of one name. Returns true if the name led to the copied file, which had not changed.
sub replace {
  my ($one, $path) = @_;
  my ($from, $to, $was) = @$one{qw(from to was)};
  my $name = enter($path) // return 0;
  my $new = new_name;
  my $old = "/proc/self/fd/" . fileno $to;
  if ($one->{temporary} ne '') { link($one->{temporary}, $new) or return 0 }
  else { syscall($LINKAT, $HERE, $old, $HERE, $new, 0x400) == 0 or return 0 }
  my $isDone = 0;
  $wanted = 0;
  # Not every file system has leases. Where it has, this is refused while somebody has the file open for writing.
  if (fcntl($from, 1024, 0) || $! != $EAGAIN) {
    my ($now, $here) = (facts($from), [lstat $name]);
    if ($now && same($was, $now) && $here->[1] == $was->{inode} && !$wanted) {
      my $exchanged = syscall($RENAMEAT2, $HERE, $name, $HERE, $new, $EXCHANGE) == 0;
      if ($exchanged) {
        $isDone = (lstat $new)[1] == $was->{inode} && !$wanted;
        syscall($RENAMEAT2, $HERE, $name, $HERE, $new, $EXCHANGE) unless $isDone;
      } elsif ($! == $EINVAL) { $isDone = rename $new, $name }
    }
    fcntl($from, 1024, 2);
  }
  unlink $new;
  # One name less changes the times of the others.
  $one->{was} = facts($from) // $was if $isDone && @{$one->{paths}} > 1;
  return $isDone;
}
sub settle {
  syscall($SYNCFS, fileno $batch[0]{to}) if @batch;
  for my $one (@batch) {
    my @left = grep { !replace($one, $_) } @{$one->{paths}};
    unlink $one->{temporary} if $one->{temporary} ne '';
    # Names that already lead to the copy must stay names of the same file, so a second try does not start anew for some of them.
    push @again, $one->{paths} if @left == @{$one->{paths}};
  }
  @batch = ();
}
$/ = "\0";
my (@files, @paths);
while (my $part = <STDIN>) { chomp $part; if ($part eq '') { push @files, [@paths]; @paths = () } else { push @paths, $part } }
# A file that somebody is writing is tried again for a second. The caller looks whether it was left.
for my $try (0 .. 20) {
  for (@files) { push @batch, prepare(@$_); settle() if @batch >= $most }
  settle();
  last unless @again;
  @files = splice @again;
  select undef, undef, undef, .05;
}
