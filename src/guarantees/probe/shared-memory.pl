# Allocates MiB of a memory file (memfd_create(2)) or of shared anonymous memory (mmap(2)), with every page written to.
use strict;
$| = 1;
my ($how, $most, $seconds, $arm) = @ARGV;
my $block = "x" x (1 << 20);
my $name = "m";
my $kept;
if ($how eq "file") {
  open($kept, "+<&=", syscall($arm ? 279 : 319, $name, 0)) or die "memfd_create: $!";
  for (1 .. $most) { syswrite($kept, $block) or die $! }
} else {
  my $at = syscall($arm ? 222 : 9, 0, $most << 20, 3, 0x21, -1, 0);
  die "mmap: $!" if $at == -1;
  open($kept, "+<", "/proc/self/mem") or die $!;
  for (0 .. $most - 1) { sysseek($kept, $at + ($_ << 20), 0); syswrite($kept, $block) or die $! }
}
print "had\n";
sleep $seconds;
