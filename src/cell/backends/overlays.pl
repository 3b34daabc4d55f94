# Mounts read-only and writable overlays of directories of the host, in a user and mount namespace where it is root, and starts the next
# command. In an overlay, sockets and FIFOs of the host lead nowhere, and what is written is kept in memory (tmpfs). The changes of the
# writable overlay, and of the layer that contains mount points, are below DIRECTORY, which the cell does not see.
#
# Arguments: DIRECTORY, then for each overlay `ro|rw SOURCE BYTES`, followed by `hide PATH`, `dir PATH` and `file PATH` (relative, for
# mount points; and paths that must not exist), or `tool SOURCE BYTES`, followed by `upper PATH`, `work PATH` and `lower PATH` (absolute,
# for layers on disk; none: in memory), then `--` and the command. The n-th overlay is at DIRECTORY/n/merged. A `tool` of which the kernel
# makes no overlay, for example because something is mounted below it, is read-only, with everything that is mounted below it.
# Prints what failed to standard error in one line and exits with 125.
use strict; no warnings;
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($MOUNT, $MKNODAT, $SETATTR) = $arm ? (40, 33, 442) : (165, 259, 442);
sub fail { print STDERR "paddock-overlays: $_[0]\n"; exit 125 }
sub mount {
  my ($type, $at, $flags, $options) = @_;
  return syscall($MOUNT, $type, $at, $type, $flags, $options) == 0;
}
my $directory = shift @ARGV;
my @overlays;
while (@ARGV && $ARGV[0] ne '--') {
  my $word = shift @ARGV;
  if ($word =~ /^(ro|rw|tool)$/) { my ($source, $bytes) = splice @ARGV, 0, 2; push @overlays, { how => $word, source => $source, bytes => $bytes, more => [] } }
  else { push @{ $overlays[-1]{more} }, [$word, shift @ARGV] }
}
shift;
my ($NOSUID, $NODEV, $RDONLY, $REMOUNT, $BIND, $REC) = (2, 4, 1, 32, 4096, 16384);
mount("tmpfs", $directory, $NOSUID | $NODEV, "mode=0700,size=1m") or fail("no memory for overlays: $!");
# Creates the parents of a path in a layer, with the modes of the same directories of the host.
sub parents {
  my ($layer, $source, $path) = @_;
  my ($at, @names) = ('', split m{/}, $path);
  pop @names;
  for (@names) { $at .= "/$_"; next if -d "$layer$at"; mkdir "$layer$at" or return; my @stat = stat "$source$at"; chmod(@stat ? $stat[2] & 07777 : 0755, "$layer$at") }
}
# A colon or a comma in a name would separate layers or options.
sub option { (my $path = $_[0]) =~ s/([\\:,])/\\$1/g; return $path }
# All writable overlays share one memory.
my ($bytes) = sort { $b <=> $a } map { $_->{bytes} } @overlays;
my $memory = "$directory/memory";
if ($bytes > 0) { mkdir $memory; mount("tmpfs", $memory, $NOSUID | $NODEV, "mode=0700,size=$bytes") or fail("no memory for overlays: $!") }
# Returns the path of the overlay of a toolchain, or of a read-only mount of it.
sub tool {
  my ($base, $source, $layers, @stat) = @_;
  my %of = (upper => [], work => [], lower => []);
  push @{ $of{$_->[0]} }, $_->[1] for @$layers;
  my ($upper, $work) = ($of{upper}[0], $of{work}[0]);
  chmod $stat[2] & 07777, $upper;
  my $lower = join ':', map { option($_) } @{ $of{lower} }, $source;
  return if mount("overlay", "$base/merged", $NOSUID | $NODEV, "lowerdir=$lower,upperdir=" . option($upper) . ",workdir=" . option($work) . ",userxattr");
  my $none = "none";
  syscall($MOUNT, $source, "$base/merged", $none, $BIND | $REC, $none) == 0 or fail("$source: $!");
  read_only("$base/merged") or fail("$source: $!");
}
# Makes a mount and all mounts below it read-only (mount_setattr(2), Linux 5.12). Before that, it works if there are none below it.
sub read_only {
  my ($path) = @_;
  my ($none, $attributes) = ("none", pack('QQQQ', 1 | 2 | 4, 0, 0, 0));
  return 1 if syscall($SETATTR, -100, $path, 0x8000, $attributes, 32) == 0;
  open(my $info, '<', '/proc/self/mountinfo') or return;
  while (<$info>) { my $at = (split)[4]; $at =~ s/\\([0-7]{3})/chr oct $1/ge; return if index($at, "$path/") == 0 }
  return syscall($MOUNT, $none, $path, $none, $BIND | $REMOUNT | $RDONLY | $NOSUID | $NODEV, $none) == 0;
}
for my $n (0 .. $#overlays) {
  my ($how, $source, $more) = @{ $overlays[$n] }{qw(how source more)};
  my $base = "$directory/$n";
  mkdir $base; mkdir "$base/merged";
  my $own = $overlays[$n]{bytes} > 0 ? "$memory/$n" : $base;
  mkdir $own;
  my ($layer, $work) = ("$own/layer", "$own/work");
  mkdir $layer; mkdir $work;
  my @stat = stat $source; @stat or fail("$source: $!");
  chmod $stat[2] & 07777, $layer;
  if ($how eq 'tool') { tool($base, $source, @$more ? $more : [[upper => $layer], [work => $work]], @stat); next }
  for (@$more) {
    my ($kind, $path) = @$_;
    parents($layer, $source, $path);
    # A character device 0:0 is a whiteout (overlayfs): the path does not exist in the overlay.
    if ($kind eq 'hide') { syscall($MKNODAT, -100, "$layer/$path", 0020000, 0) == 0 or fail("$source/$path cannot be hidden: $!") }
    elsif ($kind eq 'dir') { -d "$layer/$path" or mkdir "$layer/$path" or fail("$source/$path: $!"); my @old = stat "$source/$path"; chmod $old[2] & 07777, "$layer/$path" if @old && -d _ }
    else { open(my $file, '>', "$layer/$path") or fail("$source/$path: $!") }
  }
  my $lower = option($source);
  my $ok = $how eq 'rw' ? mount("overlay", "$base/merged", $NOSUID | $NODEV, "lowerdir=$lower,upperdir=$layer,workdir=$work,userxattr")
                        : mount("overlay", "$base/merged", $NOSUID | $NODEV | $RDONLY, "lowerdir=$layer:$lower,userxattr");
  $ok or fail("$source: no overlay: $!");
}
chdir "/"; exec { $ARGV[0] } @ARGV or fail("$ARGV[0]: $!");
