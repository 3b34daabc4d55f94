# Enters a user and a network namespace (setns(2)), brings it up (rtnetlink(7)), opens the listeners that the gateway asked
# for, passes them to the host process over Node's own IPC channel (a line of JSON together with a descriptor, SCM_RIGHTS in
# unix(7)), and ends. A socket stays in the namespace where it was created (network_namespaces(7)), so the host process serves the
# cell's connections itself and nothing stays in the cell. With the local route, every address in 198.18.0.0/15 is local to lo.
#
# Arguments: the files of both namespaces (`-`: none), then `tcp|udp ADDRESS PORT` for each. Prints what failed to standard error and exits with 1.
# Every cell waits for it, and loading Socket would take longer than running all of this. The constants are those of Linux on every
# architecture that cells support.
my ($AF_INET, $SOCK_STREAM, $SOCK_DGRAM, $SOCK_RAW, $SOL_SOCKET, $SO_REUSEADDR) = (2, 1, 2, 3, 1, 2);
my $arm = do { open(my $f, '<', '/proc/sys/kernel/arch'); my $a = defined $f ? <$f> : ''; ($a // '') =~ /aarch64|arm64/ };
my ($SETNS, $SENDMSG) = $arm ? (268, 211) : (308, 46);
sub fail { print STDERR "$_[0]\n"; exit 1 }
my @namespaces = map { open(my $file, '<', $_) or fail("$_: $!"); [$_, $file] } grep { $_ ne '-' } splice @ARGV, 0, 2;
for (@namespaces) { syscall($SETNS, fileno $_->[1], 0) == 0 or fail("cannot enter $_->[0]: $!") }
socket(my $netlink, 16, $SOCK_RAW, 0) or fail("netlink: $!");
sub ask {
  my ($type, $flags, $body) = @_;
  defined send($netlink, pack('LSSLL', 16 + length $body, $type, 5 | $flags, 1, 0) . $body, 0) or fail("netlink: $!");
  recv($netlink, my $answer, 8192, 0) // fail("netlink: $!");
  my $error = unpack('x16l', $answer);
  fail("netlink $type: " . do { local $! = -$error; "$!" }) if $error != 0;
}
ask(16, 0, pack('CxSlLL', 0, 0, 1, 1, 1));
ask(24, 0x400, pack('CCCCCCCCL', 2, 15, 0, 0, 255, 3, 254, 2, 0) . pack('SSC4', 8, 1, 198, 18, 0, 0) . pack('SSl', 8, 4, 1));
my $channel = $ENV{NODE_CHANNEL_FD} // fail("no channel");
sub pointer { unpack('Q', pack('P', $_[0])) }
sub hand {
  my ($text, $descriptor) = @_;
  my $control = defined $descriptor ? pack('QiiiX0x4', 20, 1, 1, $descriptor) : '';
  my $vector = pack('QQ', pointer($text), length $text);
  my $message = pack('QLx4QQQQlx4', 0, 0, pointer($vector), 1, length $control ? pointer($control) : 0, length $control, 0);
  my $sent = syscall($SENDMSG, $channel + 0, $message, 0x4000);
  $sent == length $text or fail("cannot hand over: $!");
}
my (@open, $index);
for ($index = 0; @ARGV; $index++) {
  my ($kind, $address, $port) = splice @ARGV, 0, 3;
  socket(my $socket, $AF_INET, $kind eq 'udp' ? $SOCK_DGRAM : $SOCK_STREAM, 0) or fail("socket: $!");
  setsockopt($socket, $SOL_SOCKET, $SO_REUSEADDR, 1) if $kind eq 'tcp';
  bind($socket, pack('SnC4x8', $AF_INET, $port, split /\./, $address)) or fail("$address:$port: $!");
  if ($kind eq 'tcp') { listen($socket, 511) or fail("$address:$port: $!") }
  push @open, $socket;
  my $type = $kind eq 'udp' ? '"dgram.Socket","dgramType":"udp4"' : '"net.Server"';
  hand(qq({"cmd":"NODE_HANDLE","type":$type,"msg":{"index":$index}}\n), fileno $socket);
}
hand(qq({"done":true}\n), undef);
open(my $back, '<&=', $channel) or fail("channel: $!");
my $heard = '';
while (sysread $back, my $chunk, 4096) { $heard .= $chunk; last if $heard =~ /"ok"/ }
