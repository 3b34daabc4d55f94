import type { Guarantee } from '../guarantee.ts'
import { tryCalls } from '../probe/try-calls.ts'

const families = {
  packet: 17,
  vsock: 40,
  algorithm: 38,
  key: 15,
  bluetooth: 31,
  can: 29,
  tipc: 30,
  xdp: 44,
  rds: 21,
  llc: 26,
  x25: 9,
  nfc: 39,
  kcm: 41,
  smc: 43,
  phonet: 35,
}

export const socketFamiliesClosed: Guarantee = {
  id: 'socket-families-closed',
  chapter: 'kernel',
  claim:
    'A cell can open Unix, IPv4 and IPv6 sockets and the netlink sockets that libc needs, and no other family: no raw packets, no vsock to a hypervisor, no kernel crypto, no packet filter. With IPv4 and IPv6 it can use only TCP and UDP.',
  mechanism:
    'The seccomp filter checks the family in socket(2) and socketpair(2), and the type and protocol for IPv4, IPv6 and netlink. Raw IP needs a capability that no cell has.',
  kind: 'policy',
  why: 'This is an allowlist of four families, so families added later are closed too.',
  fails: ['A vulnerability in one of the four.'],
  probe: (bench) =>
    tryCalls(bench, [
      ...Object.entries(families).map(([name, family]) => ({
        name,
        x64: 41,
        arm64: 198,
        args: [family, name === 'packet' || name === 'key' ? 3 : 2, 0],
      })),
      { name: 'raw-ipv4', x64: 41, arm64: 198, args: [2, 3, 1] },
      { name: 'raw-ipv6', x64: 41, arm64: 198, args: [10, 3, 58] },
      ...(
        [
          ['mptcp', 1, 262],
          ['sctp', 1, 132],
          ['sctp-default', 5, 0],
          ['dccp', 6, 0],
          ['udp-lite', 2, 136],
          ['l2tp', 2, 115],
          ['smc', 1, 256],
          ['ping', 2, 1],
        ] as const
      ).map(([name, type, protocol]) => ({ name, x64: 41, arm64: 198, args: [2, type, protocol] })),
      { name: 'tipc-pair', x64: 53, arm64: 199, args: [30, 1, 0, 0] },
      ...(
        [
          ['netfilter', 12],
          ['audit', 9],
          ['uevent', 15],
          ['generic', 16],
          ['crypto', 21],
        ] as const
      ).map(([name, protocol]) => ({ name: `netlink-${name}`, x64: 41, arm64: 198, args: [16, 3, protocol] })),
    ]),
}
