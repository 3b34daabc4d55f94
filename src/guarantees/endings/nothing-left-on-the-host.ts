import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { groupsOf } from '../probe/recorded-groups.ts'

export const nothingLeftOnTheHost: Guarantee = {
  id: 'nothing-left-on-the-host',
  chapter: 'endings',
  claim:
    'Everything that Paddock creates on the host for a cell is removed when the cell ends: inert entries in the project, the run directory, the record, control groups, mounts, listeners.',
  mechanism:
    "Each object is written to the cell's record before it is created, and removed when the cell ends. The cell's namespaces end with its last process.",
  kind: 'policy',
  why: 'The record is removed last, so the next start finds anything that could not be removed.',
  fails: ["The agent's own files in the project and its private home, and lines of the audit log, are kept on purpose."],
  probe: async (bench) => {
    const project = await bench.project()
    const before = readdirSync(project).sort().join(' ')
    const cell = await bench.start(['/bin/sh', '-c', 'read -r _; true'], { project, strictNames: true }, { stdin: 'pipe' })
    cell.stdout.resume()
    cell.stderr.resume()
    const { state } = bench.own
    const traces = [path.join(state, 'cells', `${cell.id}.jsonl`), path.join(state, 'run', cell.id)]
    const during = { traces: traces.filter(existsSync).length, entries: readdirSync(project).length, groups: groupsOf(traces[0] ?? '') }
    cell.stdin?.end('\n')
    await cell.done
    const left = [...traces, ...during.groups].filter(existsSync)
    if (left.length > 0) return broken(`left on the host after the end: ${left.join(', ')}`)
    const after = readdirSync(project).sort().join(' ')
    if (after !== before) return broken(`the project has ${after} after the cell and had ${before} before`)
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((each) => each.includes(cell.id) || each.includes(project))
    if (mounts.length > 0) return broken(`mounts are left on the host: ${mounts[0]}`)
    if (during.traces < 2 || during.entries < 5)
      return broken('the objects to be removed did not exist while the cell ran, so the probe is inconclusive')
    return held(
      `while it ran: a record, a run directory, ${during.entries - 1} inert entries in the project, ${during.groups.length} control groups; after it: none of them, and no mount`,
    )
  },
}
