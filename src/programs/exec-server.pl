# Runs commands in a cell for a program outside (src/programs/open-cell.ts). Lines on standard input, binary data as hexadecimal digits:
#   run ID CWD ENVIRONMENT COMMAND    starts a command; the last two are lists, with a NUL byte behind each item
#   in ID DATA, eof ID                writes to its standard input, or closes it
#   signal ID NUMBER                  sends a signal to its process group
# Lines on standard output: ready; out ID DATA; err ID DATA; exit ID CODE SIGNAL; failed ID WHY. The end of the input ends the cell.
use strict;
use warnings;
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX qw(WNOHANG dup2 setpgid);

my %jobs;
my $input = '';
$SIG{PIPE} = 'IGNORE';
pipe(my $woken, my $wake) or die "pipe: $!";
unblock($woken);
unblock($wake);
$SIG{CHLD} = sub { syswrite $wake, 'x' };
print_line('ready');

while (1) {
  my ($reading, $writing) = ('', '');
  vec($reading, $_, 1) = 1 for 0, fileno $woken;
  for my $job (values %jobs) {
    vec($reading, fileno $_->{handle}, 1) = 1 for @{ $job->{outputs} };
    vec($writing, fileno $job->{stdin}, 1) = 1 if $job->{stdin} && ($job->{unwritten} ne '' || $job->{eof});
  }
  next if select($reading, $writing, undef, undef) < 0;
  if (vec($reading, 0, 1)) {
    my $bytes = sysread STDIN, $input, 65536, length $input;
    last if defined $bytes && $bytes == 0;
    while ($input =~ s/^([^\n]*)\n//) { obey(split / /, $1, -1) }
  }
  if (vec($reading, fileno $woken, 1)) { sysread $woken, my $ignored, 4096 }
  for my $id (keys %jobs) {
    my $job = $jobs{$id};
    write_some($job) if $job->{stdin} && vec($writing, fileno $job->{stdin}, 1);
    @{ $job->{outputs} } = grep { !vec($reading, fileno $_->{handle}, 1) || read_some($id, $_) } @{ $job->{outputs} };
  }
  reap();
}
kill 'KILL', map { -$_->{pid} } values %jobs;

sub obey {
  my ($what, $id, @rest) = @_;
  if ($what eq 'run') { start($id, map { pack 'H*', $_ } @rest) }
  my $job = $jobs{$id} or return;
  if ($what eq 'in') { $job->{unwritten} .= pack 'H*', $rest[0] }
  elsif ($what eq 'eof') { $job->{eof} = 1 }
  elsif ($what eq 'signal') { kill $rest[0], -$job->{pid} }
}

sub start {
  my ($id, $cwd, $environment, $command) = @_;
  my @command = split /\0/, $command, -1;
  pop @command;
  my @pipes;
  for (1 .. 4) {
    pipe(my $out, my $in) or return failed($id, $!);
    push @pipes, [$out, $in];
  }
  my ($stdin, $stdout, $stderr, $trouble) = @pipes;
  my $pid = fork;
  return failed($id, $!) if !defined $pid;
  if ($pid == 0) {
    setpgid(0, 0);
    $SIG{$_} = 'DEFAULT' for 'PIPE', 'CHLD';
    dup2(fileno $stdin->[0], 0);
    dup2(fileno $stdout->[1], 1);
    dup2(fileno $stderr->[1], 2);
    for (split /\0/, $environment) {
      my ($name, $value) = split /=/, $_, 2;
      $ENV{$name} = $value;
    }
    if ($cwd eq '' || chdir $cwd) { no warnings 'exec'; exec { $command[0] } @command }
    syswrite $trouble->[1], "$!";
    POSIX::_exit(127);
  }
  # Otherwise a signal could come before the group exists.
  setpgid($pid, $pid);
  close $_ for $stdin->[0], $stdout->[1], $stderr->[1], $trouble->[1];
  # The pipe is closed by exec.
  if (sysread $trouble->[0], my $why, 1000) {
    waitpid $pid, 0;
    return failed($id, $why);
  }
  unblock($_) for $stdin->[1], $stdout->[0], $stderr->[0];
  $jobs{$id} = {
    pid => $pid, stdin => $stdin->[1], unwritten => '', eof => 0,
    outputs => [{ name => 'out', handle => $stdout->[0] }, { name => 'err', handle => $stderr->[0] }],
  };
}

# Returns false at the end of the output.
sub read_some {
  my ($id, $output) = @_;
  my $bytes = sysread $output->{handle}, my $data, 65536;
  return $!{EAGAIN} || $!{EINTR} if !defined $bytes;
  print_line($output->{name}, $id, unpack 'H*', $data) if $bytes > 0 && !$jobs{$id}{ended};
  return $bytes > 0;
}

sub write_some {
  my ($job) = @_;
  if ($job->{unwritten} ne '') {
    my $bytes = syswrite $job->{stdin}, $job->{unwritten};
    if (defined $bytes) { substr($job->{unwritten}, 0, $bytes) = '' }
    elsif (!$!{EAGAIN} && !$!{EINTR}) { ($job->{unwritten}, $job->{eof}) = ('', 1) }
  }
  if ($job->{unwritten} eq '' && $job->{eof}) {
    close $job->{stdin};
    $job->{stdin} = undef;
  }
}

# Reports the ends of commands. Other processes may keep their outputs open; what these print later is read and dropped.
sub reap {
  for my $id (keys %jobs) {
    my $job = $jobs{$id};
    if (!$job->{ended} && waitpid($job->{pid}, WNOHANG) == $job->{pid}) {
      my $status = $?;
      for my $output (@{ $job->{outputs} }) { 1 while read_now($id, $output) }
      print_line('exit', $id, $status >> 8, $status & 127);
      $job->{ended} = 1;
      close $job->{stdin} if $job->{stdin};
      $job->{stdin} = undef;
    }
    delete $jobs{$id} if $job->{ended} && !@{ $job->{outputs} };
  }
}

# Returns true if there was something to read.
sub read_now {
  my ($id, $output) = @_;
  my $bytes = sysread $output->{handle}, my $data, 65536;
  return 0 if !$bytes;
  print_line($output->{name}, $id, unpack 'H*', $data);
  return 1;
}

sub failed {
  my ($id, $why) = @_;
  print_line('failed', $id, unpack 'H*', "$why");
}

sub print_line {
  my $line = join(' ', @_) . "\n";
  while ($line ne '') {
    my $bytes = syswrite STDOUT, $line;
    if (defined $bytes) { substr($line, 0, $bytes) = '' }
    elsif (!$!{EINTR}) { exit 1 }
  }
}

sub unblock {
  my ($handle) = @_;
  fcntl $handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK;
}
