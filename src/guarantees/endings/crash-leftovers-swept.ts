import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { killPaddock } from '../probe/killed-paddock.ts'

export const crashLeftoversSwept: Guarantee = {
  id: 'crash-leftovers-swept',
  chapter: 'endings',
  claim:
    'What a killed Paddock left on the host (inert entries, records, run directories, control groups) is removed before the next cell starts.',
  mechanism: 'Each start reads the records of all cells, and clears away those whose Paddock (process number and start time) is gone.',
  kind: 'policy',
  why: 'Paddock records each object before it creates it, and removes a record only after all that it names.',
  fails: ['Until then the project has the inert entries, which are empty files and directories.'],
  probe: async (bench) => {
    const killed = await killPaddock(bench, true)
    if (killed === null) return unenforceable('no Paddock of its own can be started from here, so none was killed')
    if (killed.traces.length < 5) return broken(`a killed Paddock left only ${killed.traces.length} traces, so nothing was shown`)
    if (killed.unswept === null) return broken('after a Paddock was killed, the next one could not run')
    if (killed.unswept.length > 0) return broken(`the next start left ${killed.unswept.join(', ')} of a killed Paddock standing`)
    return held(`a killed Paddock left ${killed.traces.length} traces on the host; after the next start none of them was there`)
  },
}
