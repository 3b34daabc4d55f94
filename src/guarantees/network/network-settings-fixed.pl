# Uses rtnetlink(7) and nf_tables directly: adds an address, adds a route, sets an interface up, flushes the rules. Prints the
# kernel's answer to each.
use strict;
use Socket;
my %ask = (
  address => [0, pack('LSSLL', 32, 20, 0x605, 1, 0) . pack('CCCCL', 2, 24, 0, 0, 1) . pack('SSC4', 8, 2, 10, 9, 8, 7)],
  route => [0, pack('LSSLL', 36, 24, 0x605, 2, 0) . pack('CCCCCCCCL', 2, 0, 0, 0, 254, 3, 0, 1, 0) . pack('SSl', 8, 4, 1)],
  link => [0, pack('LSSLL', 32, 16, 0x5, 3, 0) . pack('CxSlLL', 0, 0, 1, 0, 1)],
  rules => [12, pack('LSSLLCCn', 20, 16, 0x1, 0, 0, 0, 0, 10) . pack('LSSLLCCn', 20, (10 << 8) | 2, 0x5, 1, 0, 1, 0, 0) . pack('LSSLLCCn', 20, 17, 0x1, 2, 0, 0, 0, 10)],
);
for my $what (sort keys %ask) {
  my ($protocol, $message) = @{$ask{$what}};
  my $socket;
  if (!socket($socket, 16, SOCK_RAW, $protocol)) { print "$what ", $!+0, "\n"; next }
  setsockopt($socket, SOL_SOCKET, SO_RCVTIMEO, pack('qq', 1, 0));
  if (!defined send($socket, $message, 0)) { print "$what ", $!+0, "\n"; next }
  my $answer;
  if (!defined recv($socket, $answer, 8192, 0)) { print "$what silent\n"; next }
  my ($type, $error) = unpack('x4Sx10l', $answer);
  print "$what ", $type == 2 ? -$error : "type $type", "\n";
}
