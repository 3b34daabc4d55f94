# Makes each call of "NAME,NUMBER,ARGUMENT,...", separated by spaces; prints its name, and `done` or the error's number.
use strict;
for (split / /, $ARGV[0]) {
  my ($name, $number, @args) = split /,/;
  $! = 0;
  my $got = syscall($number + 0, map { $_ + 0 } @args);
  print "$name ", ($got == -1 ? $!+0 : "done"), "\n";
}
