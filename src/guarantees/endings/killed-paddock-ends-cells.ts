import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { killPaddock } from '../probe/killed-paddock.ts'
import { leftBehind } from '../probe/named-processes.ts'

export const killedPaddockEndsCells: Guarantee = {
  id: 'killed-paddock-ends-cells',
  chapter: 'endings',
  claim: 'When Paddock is killed (SIGKILL, out of memory, a crash), its cells end with it: no agent goes on without a gateway and limits.',
  mechanism:
    'bwrap asks the kernel for SIGKILL at the death of its parent (--die-with-parent, PR_SET_PDEATHSIG), and its end is that of the PID namespace.',
  kind: 'structural',
  why: 'The kernel sends the signal; nothing of Paddock has to be alive for it.',
  fails: ['The machine may take a moment for it.'],
  probe: async (bench) => {
    const killed = await killPaddock(bench, false)
    if (killed === null) return unenforceable('no Paddock of its own can be started from here, so none was killed')
    if (killed.before < leftBehind) return broken(`only ${killed.before} processes of the cell were seen, so nothing was shown`)
    if (killed.after > 0) return broken(`${killed.after} of ${killed.before} processes of a cell outlived a Paddock that was killed`)
    return held(`a Paddock with a cell of ${killed.before} stubborn processes was killed (SIGKILL): none of them was left`)
  },
}
