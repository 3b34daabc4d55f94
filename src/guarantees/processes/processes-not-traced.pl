# PTRACE_ATTACH, PTRACE_SEIZE, process_vm_readv, process_vm_writev, pidfd_getfd and kcmp on each process named.
use strict;
my ($arch, @pids) = @ARGV;
my $arm = $arch eq 'arm64';
for my $pid (@pids) {
  my @calls = (
    ["attach $pid", $arm ? 117 : 101, 16, $pid + 0, 0, 0],
    ["seize $pid", $arm ? 117 : 101, 0x4206, $pid + 0, 0, 0],
    ["read $pid", $arm ? 270 : 310, $pid + 0, 0, 0, 0, 0, 0],
    ["write $pid", $arm ? 271 : 311, $pid + 0, 0, 0, 0, 0, 0],
    ["descriptor $pid", 438, 0, 0, 0],
    ["compare $pid", $arm ? 272 : 312, $pid + 0, $pid + 0, 0, 0, 0],
  );
  for (@calls) {
    my ($name, $number, @args) = @$_;
    $! = 0;
    my $got = syscall($number, @args);
    print "$name:", ($got == -1 ? $!+0 : 'ok'), "\n";
  }
}
