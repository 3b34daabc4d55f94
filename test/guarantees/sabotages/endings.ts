import type * as Arguments from '../../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import type * as Sweep from '../../../src/cell/run/sweep-cells.ts'
import { changedSource } from './change-source.ts'
import { replace, type Sabotage } from './sabotage.ts'

const nothing = (): void => undefined

export const endingsSabotages: readonly Sabotage[] = [
  {
    id: 'nothing-outlives-its-cell',
    without: 'a PID namespace',
    egress: 'off',
    evidence: /outlived a cell/,
    break: () =>
      replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
        bubblewrapArguments: (...given) => bubblewrapArguments(...given).filter((each) => !['--unshare-pid', '--as-pid-1'].includes(each)),
      })),
  },
  {
    id: 'killed-paddock-ends-cells',
    without: 'the parent-death signal',
    egress: 'off',
    evidence: /outlived a killed Paddock/,
    nodeOptions: changedSource('cell/backends/bubblewrap/bubblewrap-arguments.ts', "'--die-with-parent', ", ''),
    break: nothing,
  },
  {
    id: 'nothing-left-on-the-host',
    without: 'the clean-up',
    egress: 'off',
    evidence: /^left on the host/,
    break: () => replace<typeof Sweep>('cell/run/sweep-cells.ts', () => ({ forget: nothing, removeInertEntries: nothing })),
  },
  {
    id: 'crash-leftovers-swept',
    without: 'the check of cell records',
    egress: 'off',
    evidence: /did not remove/,
    nodeOptions: changedSource(
      'cell/run/sweep-cells.ts',
      'for (const record of registry.all())',
      'for (const record of [] as CellRecord[])',
    ),
    break: nothing,
  },
]
