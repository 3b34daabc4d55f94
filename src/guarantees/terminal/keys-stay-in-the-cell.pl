# Types a word (TIOCSTI, ioctl_tty(2)) and writes it into every terminal named.
use strict;
my $word = shift;
for my $to (@ARGV) {
  open(my $file, "+<", $to) or next;
  for (split //, "$word\n") {
    my $character = $_;
    ioctl($file, 0x5412, $character);
  }
  syswrite $file, "$word\n";
}
