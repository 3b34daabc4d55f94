# Calls on a process by its pid: kill, tgkill, pidfd_open, ptrace attach, process_vm_readv, getpriority, prlimit64,
# sched_getaffinity, getpgid.
use strict;
my ($arch, $pid) = @ARGV;
my $arm = $arch eq 'arm64';
my $buffer = "\0" x 256;
my @calls = (
  ['kill', $arm ? 129 : 62, $pid + 0, 0],
  ['kill USR1', $arm ? 129 : 62, $pid + 0, 10],
  ['tgkill', $arm ? 131 : 234, $pid + 0, $pid + 0, 10],
  ['pidfd_open', 434, $pid + 0, 0],
  ['ptrace', $arm ? 117 : 101, 16, $pid + 0, 0, 0],
  ['process_vm_readv', $arm ? 270 : 310, $pid + 0, 0, 0, 0, 0, 0],
  ['getpriority', $arm ? 141 : 140, 0, $pid + 0],
  ['prlimit64', $arm ? 261 : 302, $pid + 0, 7, 0, $buffer],
  ['sched_getaffinity', $arm ? 123 : 204, $pid + 0, 256, $buffer],
  ['getpgid', $arm ? 155 : 121, $pid + 0],
);
for (@calls) {
  my ($name, $number, @args) = @$_;
  $! = 0;
  my $got = syscall($number, @args);
  print "$name:", ($got == -1 ? $!+0 : 'ok'), "\n";
}
