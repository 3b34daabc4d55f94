import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

const program = new URL('./network-settings-fixed.pl', import.meta.url)

export const networkSettingsFixed: Guarantee = {
  id: 'network-settings-fixed',
  chapter: 'network',
  claim: 'A cell cannot change its own network: no address, no route, no interface, no rule of the packet filter.',
  mechanism:
    'The agent runs in a user namespace inside the one that owns the network, without any capability. The system call filter allows only the netlink family that libc needs.',
  kind: 'structural',
  why: 'Changing a network needs CAP_NET_ADMIN in the user namespace that owns it (capabilities(7)). The agent can neither have that capability nor enter that namespace.',
  fails: ["A bug in the kernel's user namespaces."],
  probe: async (bench) => {
    const { result } = await bench.inside(({ perl }, given) => perl(given), readFileSync(program, 'utf8'))
    if (result === null) return unenforceable('the cell has no Perl, so netlink could not be tried')
    const told = result.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string])
    if (told.length !== 4) return broken(`the probe did not finish: ${result.stderr.trim()}`)
    // EPERM 1, EACCES 13, EPROTONOSUPPORT 93, EAFNOSUPPORT 97, and no answer for a table that the kernel does not know.
    const done = told.filter(([, answer]) => !['1', '13', '93', '97'].includes(answer))
    if (done.length > 0) return broken(`the kernel did not refuse: ${done.map(([what, answer]) => `${what} (${answer})`).join(', ')}`)
    return held(
      `a new address, a route, interface flags and a flush of the packet filter, by netlink: refused with errno ${[...new Set(told.map(([, answer]) => answer))].join(', ')}`,
    )
  },
}
