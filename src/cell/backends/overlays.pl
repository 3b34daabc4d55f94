# Mounts read-only and writable overlays of directories of the host, in a user and mount namespace where it is root, and starts the next
# command. In an overlay, sockets and FIFOs of the host lead nowhere, and what is written is kept in memory (tmpfs). The changes of the
# writable overlay, and of the layer that contains mount points, are below DIRECTORY, which the cell does not see.
#
# Arguments: DIRECTORY, then for each overlay `ro|rw SOURCE BYTES`, followed by `hide PATH`, `dir PATH` and `file PATH` (relative, for
# mount points; and paths that must not exist), then `--` and the command. The n-th overlay is at DIRECTORY/n/merged.
# Prints what failed to standard error in one line and exits with 125.
use strict; no warnings;
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($MOUNT, $MKNODAT) = $arm ? (40, 33) : (165, 259);
sub fail { print STDERR "paddock-overlays: $_[0]\n"; exit 125 }
sub mount {
  my ($type, $at, $flags, $options) = @_;
  return syscall($MOUNT, $type, $at, $type, $flags, $options) == 0;
}
my $directory = shift @ARGV;
my @overlays;
while (@ARGV && $ARGV[0] ne '--') {
  my $word = shift @ARGV;
  if ($word eq 'ro' || $word eq 'rw') { my ($source, $bytes) = splice @ARGV, 0, 2; push @overlays, { how => $word, source => $source, bytes => $bytes, more => [] } }
  else { push @{ $overlays[-1]{more} }, [$word, shift @ARGV] }
}
shift;
my ($NOSUID, $NODEV, $RDONLY) = (2, 4, 1);
mount("tmpfs", $directory, $NOSUID | $NODEV, "mode=0700,size=1m") or fail("no memory for overlays: $!");
# Creates the parents of a path in a layer, with the modes of the same directories of the host.
sub parents {
  my ($layer, $source, $path) = @_;
  my ($at, @names) = ('', split m{/}, $path);
  pop @names;
  for (@names) { $at .= "/$_"; next if -d "$layer$at"; mkdir "$layer$at" or return; my @stat = stat "$source$at"; chmod(@stat ? $stat[2] & 07777 : 0755, "$layer$at") }
}
for my $n (0 .. $#overlays) {
  my ($how, $source, $bytes, $more) = @{ $overlays[$n] }{qw(how source bytes more)};
  my $base = "$directory/$n";
  mkdir $base; mkdir "$base/merged";
  if ($how eq 'rw') { mkdir "$base/memory"; mount("tmpfs", "$base/memory", $NOSUID | $NODEV, "mode=0700,size=$bytes") or fail("$source: no memory: $!"); }
  else { mkdir "$base/memory" }
  my ($layer, $work) = ("$base/memory/layer", "$base/memory/work");
  mkdir $layer; mkdir $work;
  my @stat = stat $source; @stat or fail("$source: $!");
  chmod $stat[2] & 07777, $layer;
  for (@$more) {
    my ($kind, $path) = @$_;
    parents($layer, $source, $path);
    # A character device 0:0 is a whiteout (overlayfs): the path does not exist in the overlay.
    if ($kind eq 'hide') { syscall($MKNODAT, -100, "$layer/$path", 0020000, 0) == 0 or fail("$source/$path cannot be hidden: $!") }
    elsif ($kind eq 'dir') { -d "$layer/$path" or mkdir "$layer/$path" or fail("$source/$path: $!"); my @old = stat "$source/$path"; chmod $old[2] & 07777, "$layer/$path" if @old && -d _ }
    else { open(my $file, '>', "$layer/$path") or fail("$source/$path: $!") }
  }
  # A colon or a comma in a name would separate layers or options.
  (my $lower = $source) =~ s/([\\:,])/\\$1/g;
  my $ok = $how eq 'rw' ? mount("overlay", "$base/merged", $NOSUID | $NODEV, "lowerdir=$lower,upperdir=$layer,workdir=$work,userxattr")
                        : mount("overlay", "$base/merged", $NOSUID | $NODEV | $RDONLY, "lowerdir=$layer:$lower,userxattr");
  $ok or fail("$source: no overlay: $!");
}
chdir "/"; exec { $ARGV[0] } @ARGV or fail("$ARGV[0]: $!");
