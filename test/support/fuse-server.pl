# Serves a directory read-only through FUSE, as a file system that the kernel reaches only through a program, like NFS. Needs root.
# Arguments: SOURCE MOUNT. Ends when its parent ends, or when it is unmounted. Every user may enter it (allow_other).
use strict; use warnings; use Fcntl ':mode'; use POSIX qw(:errno_h);
my ($source, $at) = @ARGV;
my $isArm = (POSIX::uname())[4] eq 'aarch64';
# `open` of Perl would seek, which the device does not support.
my $fd = POSIX::open('/dev/fuse', POSIX::O_RDWR) // die "/dev/fuse: $!";
my @root = stat $source;
my ($device, $type) = ('test', 'fuse');
my $options = "fd=$fd,rootmode=" . sprintf('%o', $root[2]) . ',user_id=0,group_id=0,allow_other,default_permissions';
# mount(2), MS_NOSUID | MS_NODEV
syscall($isArm ? 40 : 165, $device, $at, $type, 6, $options) == 0 or die "mount: $!";
open $_->[0], $_->[1], '/dev/null' for [*STDIN, '<'], [*STDOUT, '>'], [*STDERR, '>'];
for (3 .. 1023) { POSIX::close($_) if $_ != $fd }
# Becomes the owner, because the end of the parent is reported only to processes that the parent may signal.
if ($root[4] != 0) { POSIX::setgid($root[5]); POSIX::setuid($root[4]) }
# prctl(2), PR_SET_PDEATHSIG, SIGKILL
syscall($isArm ? 167 : 157, 1, 9, 0, 0, 0);
my %path = (1 => $source);
sub answer { my ($unique, $error, $data) = @_; $data //= ''; my $out = pack('LlQ', 16 + length $data, -$error, $unique) . $data; POSIX::write($fd, $out, length $out) }
# struct fuse_attr
sub attr { my @s = @_; pack('QQQQQQLLLLLLLLLL', @s[1, 7], $s[12] || 0, @s[8, 9, 10], 0, 0, 0, @s[2, 3, 4, 5], 0, 4096, 0) }
while (1) {
  my $count = POSIX::read($fd, my $in, 1 << 18);
  if (!defined $count) { next if $! == EINTR || $! == ENOENT || $! == EAGAIN; last }
  my ($length, $code, $unique, $node) = unpack 'LLQQ', $in;
  my $body = substr $in, 40;
  my $file = $path{$node} // '';
  if ($code == 26) { answer($unique, 0, pack('LLLLSSLLSS', 7, 31, 65536, 0, 1, 1, 65536, 1, 0, 0) . "\0" x 28) }
  elsif ($code == 1) {
    my $wanted = "$file/" . unpack('Z*', $body);
    my @s = lstat $wanted;
    if (!@s) { answer($unique, ENOENT); next }
    $path{ $s[1] } = $wanted;
    answer($unique, 0, pack('QQQQLL', $s[1], 0, 1, 1, 0, 0) . attr(@s));
  }
  elsif ($code == 3) { my @s = lstat $file; @s ? answer($unique, 0, pack('QLL', 1, 0, 0) . attr(@s)) : answer($unique, ENOENT) }
  elsif ($code == 5) { answer($unique, 0, readlink($file) // '') }
  elsif ($code == 14 || $code == 27) { answer($unique, 0, pack('QLL', 0, 0, 0)) }
  elsif ($code == 15) {
    my (undef, $offset, $size) = unpack 'QQL', $body;
    my $data = '';
    if (open my $from, '<:raw', $file) { sysseek $from, $offset, 0; sysread $from, $data, $size }
    answer($unique, 0, $data);
  }
  elsif ($code == 28) {
    my (undef, $offset, $size) = unpack 'QQL', $body;
    opendir(my $directory, $file) or do { answer($unique, $! + 0); next };
    my @names = sort readdir $directory;
    my $data = '';
    for my $n ($offset .. $#names) {
      my @s = lstat "$file/$names[$n]" or next;
      my $entry = pack('QQLL', $s[1], $n + 1, length $names[$n], S_IFMT($s[2]) >> 12) . $names[$n];
      $entry .= "\0" x (-length($entry) % 8);
      last if length($data) + length($entry) > $size;
      $data .= $entry;
    }
    answer($unique, 0, $data);
  }
  elsif ($code == 17) { answer($unique, 0, pack('QQQQQLLLL', (0) x 5, 4096, 255, 4096, 0) . "\0" x 24) }
  elsif ($code == 2 || $code == 42) { }
  elsif ($code == 18 || $code == 29 || $code == 25 || $code == 34) { answer($unique, 0) }
  else { answer($unique, ENOSYS) }
}
