import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { killPaddock } from '../probe/killed-paddock.ts'

export const crashLeftoversSwept: Guarantee = {
  id: 'crash-leftovers-swept',
  chapter: 'endings',
  claim:
    'Anything that a killed Paddock left on the host (inert entries, records, run directories, control groups) is removed before the next cell starts.',
  mechanism: 'Each start reads the records of all cells, and cleans up those whose Paddock process (by PID and start time) is gone.',
  kind: 'policy',
  why: 'Paddock records each object before creating it, and removes a record only after removing everything that it lists.',
  fails: ['Until then the project contains the inert entries, which are empty files and directories.'],
  probe: async (bench) => {
    const killed = await killPaddock(bench, true)
    if (killed === null) return unenforceable('the probe cannot start another Paddock from here, so none was killed')
    if (killed.traces.length < 5) return broken(`a killed Paddock left only ${killed.traces.length} traces, so the probe is inconclusive`)
    if (killed.unswept === null) return broken('after one Paddock was killed, the next could not run')
    if (killed.unswept.length > 0) return broken(`the next start did not remove ${killed.unswept.join(', ')} of a killed Paddock`)
    return held(`a killed Paddock left ${killed.traces.length} traces on the host; the next start removed all of them`)
  },
}
