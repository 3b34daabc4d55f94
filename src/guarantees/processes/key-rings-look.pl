# request_key, keyctl(KEYCTL_READ), keyctl(KEYCTL_GET_KEYRING_ID) and add_key; prints the result of each.
use strict;
my ($arch, $description, $key) = @ARGV;
my ($add, $request, $ctl) = $arch eq 'arm64' ? (217, 218, 219) : (248, 249, 250);
my ($type, $what, $load, $buffer) = ("user", "$description", "x", "\0" x 64);
my @calls = (
  ["request", $request, $type, $what, 0, 0],
  ["read", $ctl, 11, $key + 0, $buffer, 64],
  ["session", $ctl, 0, -3, 1],
  ["user", $ctl, 0, -4, 1],
  ["add", $add, $type, $what, $load, 1, -4],
);
for (@calls) {
  my ($name, $number, @args) = @$_;
  $! = 0;
  my $got = syscall($number, @args);
  print "$name:", ($got == -1 ? $!+0 : "ok"), "\n";
}
