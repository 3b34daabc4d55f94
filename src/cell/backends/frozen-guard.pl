# Checks twice a second whether a thread of a descendant of the init runs while Paddock is stopped, and kills the init when
# this happens for the second time. SIGSTOP does not stop a process for long whose own timer sends it SIGCONT
# (timer_create(2)), and nothing else enforces the limits that Paddock measures itself. Exits if Paddock is not stopped for
# ten seconds.
#
# Arguments: the pid of Paddock, the pid of the init, and the start time of the init (proc(5), field 22).
use strict; no warnings;
my ($paddock, $init, $born) = @ARGV;
sub facts {
  open my $file, "<", "/proc/$_[0]/stat" or return;
  local $/;
  <$file> =~ /.*\) (.*)/s or return;
  return (split / /, $1)[0, 1, 19];
}
for (my ($seen, $early) = (0, 0); $seen < 2;) {
  select undef, undef, undef, .5;
  exit if ((facts $init)[2] // "") ne $born;
  my (%below, $runs);
  for (map { m{(\d+)} } glob "/proc/[0-9]*") { push @{$below{(facts $_)[1]}}, $_ }
  my @queue = @{$below{$init} // []};
  while (defined(my $each = shift @queue)) {
    for (glob "/proc/$each/task/[0-9]*") { $runs = 1 if (facts(substr $_, 6))[0] =~ /[RS]/ }
    push @queue, @{$below{$each} // []};
  }
  if (((facts $paddock)[0] // "") eq "T") { $seen++ if $runs } elsif (++$early > 20) { exit }
}
kill "KILL", $init;
