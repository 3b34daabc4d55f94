# The init of a cell. Waits for the host at a descriptor, starts the command, reaps processes, and exits with the command's code, or
# 128 + n for signal n.
#
# A mode with the set-group-ID bit is meant for a directory almost always, but a filter sees neither the file nor can it change
# the mode. The filter that this program installs gives such a chmod to this program (seccomp_unotify(2)), which repeats it
# without the bit, with the rights of the cell, under the same filters. It never lets the kernel carry out the call itself, and
# while it has the listener, the kernel gives no other process one (EBUSY, seccomp(2)). It is the init, because the init cannot be
# traced, changed or ended from within the cell, and may read the memory of all processes (Yama allows that for descendants).
#
# Arguments: the architecture, two descriptors (the gate, and one for the command alone), the filter in hexadecimal digits, variables
# for the command (`NAME=VALUE`), `--`, and the command.
use strict; no warnings;
my ($machine, $gate, $own, $code, @command) = @ARGV;
my $arm = $machine eq 'arm64';
my ($SECCOMP, $SIGPROCMASK, $SIGNALFD) = $arm ? (277, 135, 74) : (317, 14, 289);
my ($CHMOD, $FCHMOD, $FCHMODAT, $FCHMODAT2) = $arm ? (-1, 52, 53, 452) : (90, 91, 268, 452);
my ($here, $block, $unblock, $never) = (-100, 0, 1, 1);
my ($ENOENT, $EBADF, $EFAULT, $ENAMETOOLONG) = (2, 9, 14, 36);
sub fail { syswrite STDERR, "paddock: the init of the cell failed: $!\n"; exit 125 }
open(my $host, '<&=', $gate) or fail;
sysread($host, my $go, 1) or exit 125;
close $host;
my $program = pack 'H*', $code;
my $filter = pack 'S x6 P', length($program) / 8, $program;
my $children = pack 'Q', 1 << 16;
my $unset = pack 'Q', 0;
syscall($SIGPROCMASK, $block, $children, $unset, 8) == 0 or fail;
my $signals = syscall($SIGNALFD, -1, $children, 8, 02000000);
my $listener = syscall($SECCOMP, 1, 8, $filter);
fail if $signals < 0 || $listener < 0;
open(my $asked, '+<&=', $listener) or fail;
open(my $ended, '<&=', $signals) or fail;
defined(my $main = fork) or fail;
if ($main == 0) {
  syscall($SIGPROCMASK, $unblock, $children, $unset, 8);
  delete $ENV{PERL_BADLANG};
  while ((my $each = shift @command) ne '--') { my ($name, $value) = split /=/, $each, 2; $ENV{$name} = $value }
  exec { $command[0] } @command;
  exit 126;
}
$0 = 'paddock-init';
{ open my $output, '<&=', $own }
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';

sub text_at { my ($pid, $address) = @_;
  open(my $memory, '<:raw', "/proc/$pid/mem") or return;
  sysseek($memory, $address, 0);
  sysread($memory, my $text, 4096) or return;
  return $text;
}
# Returns the error of the call, or 0.
sub repeat { my ($pid, $call, @args) = @_;
  my ($directory, $address, $mode, $flags) = $call == $CHMOD ? ($here, @args[0, 1], 0) : ($args[0], @args[1, 2], $call == $FCHMODAT2 ? $args[3] : 0);
  ($mode, $address) = ($args[1], undef) if $call == $FCHMOD;
  $directory = unpack 'l', pack 'L', $directory & 0xffffffff;
  my $path = defined $address ? text_at $pid, $address : "\0";
  return $EFAULT unless defined $path;
  $path =~ s/\0.*//s or return $ENAMETOOLONG;
  return $ENOENT if $path eq '' && defined $address && !($flags & 0x1000);
  $path =~ s{^/+proc/+(?:thread-)?self/}{/proc/$pid/} || $path =~ s{^/+dev/+fd/}{/proc/$pid/fd/};
  if ($path !~ m{^/}) {
    my $from = $directory == $here ? "/proc/$pid/cwd" : "/proc/$pid/fd/$directory";
    return $EBADF unless -l $from;
    ($path, $flags) = $path eq '' ? ($from, 0) : ("$from/$path", $flags);
  }
  $mode &= 01777;
  my $done = $flags & 0x100 ? syscall($FCHMODAT2, $here, $path, $mode, 0x100) : syscall($FCHMODAT, $here, $path, $mode);
  return $done == 0 ? 0 : $! + 0;
}
for (;;) {
  my $read = '';
  vec($read, $_, 1) = 1 for $listener, $signals;
  select $read, undef, undef, undef;
  if (vec $read, $signals, 1) {
    sysread $ended, my $information, 4096;
    while ((my $pid = waitpid -1, $never) > 0) { exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $pid == $main }
  }
  if (vec $read, $listener, 1) {
    my $call = "\0" x 256;
    ioctl($asked, 0xc0502100, $call) or next;
    my ($id, $pid, undef, $number, undef, undef, @args) = unpack 'Q L L l L Q Q6', $call;
    my $error = repeat $pid, $number, @args;
    ioctl $asked, 0xc0182101, my $answer = pack 'Q q l L', $id, 0, -$error, 0;
  }
}
