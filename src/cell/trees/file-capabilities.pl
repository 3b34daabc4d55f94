# Prints those paths from its input that have file capabilities, each followed by a zero byte (getxattr(2)
# without following links; perlfunc(1), syscall).
use strict; use warnings;
my $number = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ } ? 9 : 192;
$/ = "\0";
while (my $path = <STDIN>) {
  chomp $path; my ($name, $value) = ("security.capability", "\0" x 64);
  print $path, "\0" if syscall($number, $path, $name, $value, 64) >= 0;
}
