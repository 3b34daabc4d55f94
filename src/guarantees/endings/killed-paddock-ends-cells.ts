import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { killPaddock } from '../probe/killed-paddock.ts'
import { leftBehind } from '../probe/named-processes.ts'

export const killedPaddockEndsCells: Guarantee = {
  id: 'killed-paddock-ends-cells',
  chapter: 'endings',
  claim:
    'When Paddock is killed (SIGKILL, out of memory, a crash), its cells are killed with it, so no agent continues without a gateway and limits.',
  mechanism:
    'bwrap asks the kernel for SIGKILL when its parent dies (--die-with-parent, PR_SET_PDEATHSIG), and the PID namespace ends with bwrap.',
  kind: 'structural',
  why: 'The kernel sends the signal, so no part of Paddock has to be running.',
  fails: ['The machine may take a moment to do this.'],
  probe: async (bench) => {
    const killed = await killPaddock(bench, false)
    if (killed === null) return unenforceable('the probe cannot start another Paddock from here, so none was killed')
    if (killed.before < leftBehind) return broken(`only ${killed.before} processes of the cell were seen, so the probe is inconclusive`)
    if (killed.after > 0) return broken(`${killed.after} of ${killed.before} processes of a cell outlived a killed Paddock`)
    return held(`a Paddock with a cell of ${killed.before} stubborn processes was killed (SIGKILL): none of them survived`)
  },
}
