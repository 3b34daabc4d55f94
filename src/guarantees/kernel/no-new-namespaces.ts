import type { Guarantee } from '../guarantee.ts'
import { tryCalls } from '../probe/try-calls.ts'

export const noNewNamespaces: Guarantee = {
  id: 'no-new-namespaces',
  chapter: 'kernel',
  claim:
    'A cell cannot create a namespace or enter another one. A new user namespace would give it every capability inside that namespace.',
  mechanism:
    'The seccomp filter refuses clone and unshare with namespace flags, clone3 and setns. bwrap --disable-userns sets the limit of user namespaces inside the cell to zero.',
  kind: 'policy',
  why: 'Most recent kernel exploits start with a user namespace. Two independent mechanisms prevent one.',
  fails: ['--nested-sandbox gives this up explicitly for one run.'],
  probe: (bench) =>
    tryCalls(bench, [
      ...(
        [
          ['user', 0x1000_0000],
          ['mount', 0x0002_0000],
          ['network', 0x4000_0000],
          ['pid', 0x2000_0000],
          ['ipc', 0x0800_0000],
          ['uts', 0x0400_0000],
          ['cgroup', 0x0200_0000],
        ] as const
      ).map(([name, flag]) => ({ name: `unshare-${name}`, x64: 272, arm64: 97, args: [flag] })),
      { name: 'clone-user', x64: 56, arm64: 220, args: [0x1000_0000 | 17, 0, 0, 0, 0] },
      { name: 'clone3', x64: 435, arm64: 435, args: [0, 0] },
      { name: 'setns', x64: 308, arm64: 268, args: [0, 0] },
    ]),
}
