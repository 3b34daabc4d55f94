import type * as Arguments from '../../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import type * as Allowlist from '../../../src/egress/policy/allowlist.ts'
import { replace, type Sabotage } from './sabotage.ts'

const withoutNetworkNamespace = (): void =>
  replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
    bubblewrapArguments: (...given) => bubblewrapArguments(...given).filter((each) => each !== '--unshare-net'),
  }))

export const networkSabotages: readonly Sabotage[] = [
  { id: 'no-way-out-but-the-gateway', without: 'a network namespace', egress: 'off', break: withoutNetworkNamespace },
  { id: 'host-loopback-unreachable', without: 'a network namespace', egress: 'off', break: withoutNetworkNamespace },
  { id: 'host-addresses-unreachable', without: 'a network namespace', egress: 'off', break: withoutNetworkNamespace },
  { id: 'siblings-unreachable', without: 'a network namespace', egress: 'off', break: withoutNetworkNamespace },
  {
    id: 'network-settings-fixed',
    without: 'a user namespace below the one that owns the network',
    break: () =>
      replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
        bubblewrapArguments: (...given) => {
          const args = [...bubblewrapArguments(...given)]
          for (const each of ['--uid', '--gid']) args.splice(args.indexOf(each), 2)
          return [...args.filter((each) => each !== '--unshare-user' && each !== '--disable-userns'), '--cap-add', 'CAP_NET_ADMIN']
        },
      })),
  },
  {
    id: 'unlisted-ports-refused',
    without: 'the ports of allowlist entries',
    break: () =>
      replace<typeof Allowlist>('egress/policy/allowlist.ts', ({ Allowlist: Real }) => ({
        Allowlist: class extends Real {
          override find(name: string, port: number): ReturnType<InstanceType<typeof Real>['find']> {
            const entry = super.find(name, 443) ?? super.find(name, 8443)
            return entry === null ? null : { ...entry, ports: [port] }
          }
          override listeners(): ReturnType<InstanceType<typeof Real>['listeners']> {
            return [80, 22, 443, 8443].map((port) => ({ kind: 'tcp', address: '0.0.0.0', port }))
          }
        },
      })),
  },
]
