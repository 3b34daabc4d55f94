# Sends datagrams to each ADDRESS PORT from a socket that is bound to the cell's interface; does nothing if there is none.
use strict;
use Socket qw(:all);
open(my $devices, '<', '/proc/net/dev') or exit;
my ($name) = grep { $_ ne 'lo' } map { /^\s*([^:\s]+):/ ? $1 : () } <$devices>;
exit unless defined $name;
while (my ($address, $port) = splice @ARGV, 0, 2) {
  my $six = $address =~ /:/;
  socket(my $socket, $six ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
  # SO_BINDTODEVICE is 25 (socket(7)); no privilege is needed for a socket that is not bound yet.
  setsockopt($socket, SOL_SOCKET, 25, $name);
  my $to = $six ? pack_sockaddr_in6($port, inet_pton(AF_INET6, $address)) : pack_sockaddr_in($port, inet_aton($address));
  for (1 .. 5) { send $socket, 'x', 0, $to; select undef, undef, undef, 0.05 }
}
