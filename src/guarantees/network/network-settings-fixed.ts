import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

/** rtnetlink(7) and nf_tables by hand: bring an address up, add a route, flush the rules. Prints what the kernel answered to each. */
const script = String.raw`
use strict; use Socket;
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
`

export const networkSettingsFixed: Guarantee = {
  id: 'network-settings-fixed',
  chapter: 'network',
  claim: 'A cell cannot change its own network: no address, no route, no interface, no rule of the packet filter.',
  mechanism:
    'The agent runs in a user namespace below the one that owns the network, without any capability; the system call filter lets only the netlink family that libc needs through.',
  kind: 'structural',
  why: 'Changing a network needs CAP_NET_ADMIN in the user namespace that owns it (capabilities(7)), and the agent can neither have it nor enter that namespace.',
  fails: ['A hole in the kernel’s user namespaces.'],
  probe: async (bench) => {
    const { result } = await bench.inside(({ perl }, given) => perl(given), script)
    if (result === null) return unenforceable('the cell has no Perl, so netlink could not be tried')
    const told = result.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string])
    if (told.length !== 4) return broken(`the probe did not run to its end: ${result.stderr.trim()}`)
    // EPERM 1, EACCES 13, EPROTONOSUPPORT 93, EAFNOSUPPORT 97, and silence of a table that the kernel does not know.
    const done = told.filter(([, answer]) => !['1', '13', '93', '97'].includes(answer))
    if (done.length > 0) return broken(`the kernel did not refuse: ${done.map(([what, answer]) => `${what} (${answer})`).join(', ')}`)
    return held(
      `a new address, a route, interface flags and a flush of the packet filter, by netlink: refused with errno ${[...new Set(told.map(([, answer]) => answer))].join(', ')}`,
    )
  },
}
