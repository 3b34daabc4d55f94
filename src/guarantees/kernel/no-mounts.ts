import type { Guarantee } from '../guarantee.ts'
import { tryCalls } from '../probe/try-calls.ts'

export const noMounts: Guarantee = {
  id: 'no-mounts',
  chapter: 'kernel',
  claim: 'A cell cannot change its view of the file system by mounting, unmounting or moving a mount.',
  mechanism:
    'No capabilities, mounts locked by a user namespace (mount_namespaces(7)), and a seccomp filter that refuses both families of mount calls.',
  kind: 'policy',
  why: 'A path that a mount makes read-only stays read-only as long as no process can cover or remove that mount.',
  fails: ['With --nested-sandbox, mounts can be made in a nested namespace. Those of the cell itself stay locked.'],
  probe: (bench) =>
    tryCalls(bench, [
      { name: 'mount', x64: 165, arm64: 40 },
      { name: 'umount2', x64: 166, arm64: 39 },
      { name: 'pivot_root', x64: 155, arm64: 41 },
      { name: 'open_tree', x64: 428, arm64: 428 },
      { name: 'move_mount', x64: 429, arm64: 429 },
      { name: 'fsopen', x64: 430, arm64: 430 },
      { name: 'fsmount', x64: 432, arm64: 432 },
      { name: 'fspick', x64: 433, arm64: 433 },
      { name: 'mount_setattr', x64: 442, arm64: 442 },
    ]),
}
