# Runs a command on the bare host, and ends all of its processes with it. It is their subreaper (prctl(2)): processes whose parents have
# ended become its children. When the command exits, on SIGUSR1, and when Paddock ends, it kills what is left, and exits with the code of the
# command, or 128 + n for signal n.
#
# Arguments: the number of prctl, a descriptor (the gate), the PID of Paddock, variables that the command does not get (separated by
# commas), `--`, and the command.
use strict; no warnings;
my ($prctl, $gate, $paddock, $withheld, undef, @command) = @ARGV;
sub fail { syswrite STDERR, "paddock: the command could not be started: $!\n"; exit 125 }
my ($code, $vain, $ended) = (undef, 0, 0);
# Signals end the wait below.
pipe(my $woken, my $wake) or fail;
$SIG{USR1} = sub { $ended = 1; syswrite $wake, 'x' };
$SIG{CHLD} = sub { syswrite $wake, 'x' };
$SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM TTOU);
# PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG (to SIGUSR1)
syscall($prctl, 36, 1, 0, 0, 0) == 0 && syscall($prctl, 1, 10, 0, 0, 0) == 0 or fail;
exit 125 if getppid != $paddock;
syswrite STDERR, "\006";
open(my $host, '<&=', $gate) or fail;
sysread($host, my $go, 1) or exit 125;
close $host;
defined(my $main = fork) or fail;
if ($main == 0) {
  $SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM TTOU USR1 CHLD);
  setpgrp 0, 0;
  delete @ENV{'PERL_BADLANG', split /,/, $withheld};
  exec { $command[0] } @command;
  exit 126;
}
$0 = 'paddock-bare-host';
# Otherwise readers of the command's output would wait for this program.
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
{ open my $own, '<&=', 3 }

sub reap { my ($flags) = @_;
  my $pid = waitpid -1, $flags;
  $code = $? & 127 ? 128 + ($? & 127) : $? >> 8 if $pid == $main;
  return $pid;
}
sub descendants {
  my (%children, @found);
  for my $each (glob '/proc/[0-9]*/stat') {
    open(my $file, '<', $each) or next;
    my $text = join '', <$file>;
    push @{$children{$2}}, $1 if $text =~ /^(\d+) .*\) \S (\d+) /s;
  }
  my @queue = $$;
  while (defined(my $each = shift @queue)) { push @queue, @{$children{$each} || []}; push @found, @{$children{$each} || []} }
  return @found;
}
{ vec(my $readable = '', fileno $woken, 1) = 1;
  until ($ended || getppid != $paddock) {
    my $last;
    1 while ($last = reap(1)) > 0;
    last if defined $code || $last == -1;
    # Perl runs a handler late if the signal comes just before the wait, so the wait has an end.
    sysread $woken, my $bytes, 64 if select(my $found = $readable, undef, undef, 1) > 0;
  }
}
$SIG{USR1} = 'IGNORE';
$SIG{CHLD} = 'DEFAULT';
for (;;) {
  my @left = descendants;
  # A program that changed its user cannot be ended from here, and must not keep the cell from ending.
  last if @left && !kill('KILL', @left) && ++$vain > 100;
  while ((my $pid = reap(1)) != 0) { exit($code // 137) if $pid == -1 }
  select undef, undef, undef, 0.01;
}
exit($code // 137);
