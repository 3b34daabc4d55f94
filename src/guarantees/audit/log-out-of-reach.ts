import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const logOutOfReach: Guarantee = {
  id: 'log-out-of-reach',
  chapter: 'audit',
  claim: "A cell can neither read nor write the audit log, Paddock's other records, or its configuration.",
  mechanism: 'They are not mounted, and Paddock refuses to mount them or any directory that contains them.',
  kind: 'structural',
  why: 'A path that no mount shows does not exist in the cell, and a cell has no other way to reach a file.',
  fails: ['Anyone with access to your account on the host, outside of cells, can write all of it.'],
  probe: async (bench) => {
    const { state, config } = bench.own
    const places = [bench.auditDirectory, `${bench.auditDirectory}/audit.jsonl`, `${state}/audit`, `${state}/cells`, config]
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => ({
        project: attempt(() => fs.readdirSync(given.project)),
        tried: given.places.map((each) => [
          each,
          attempt(() => fs.statSync(each)),
          attempt(() => fs.appendFileSync(`${each}${each.endsWith('.jsonl') ? '' : '/planted'}`, 'planted\n')),
        ]),
      }),
      { places, project },
      { project },
    )
    const found = result.tried.find(([, seen, written]) => seen === 'ok' || written === 'ok')
    if (found !== undefined) return broken(`${found[0]} is in the cell (looked at: ${found[1]}, written: ${found[2]})`)
    if (result.project !== 'ok') return broken(`not even the project could be read (${result.project}), so the probe is inconclusive`)
    for (const source of [state, `${state}/audit`, `${state}/cells`, config])
      for (const access of ['ro', 'rw'] as const) {
        const how = await bench.run(['true'], { mounts: [{ source, access }] }).then(
          () => 'it was mounted',
          (error: unknown) => (error instanceof PaddockError ? error.code : String(error)),
        )
        if (how !== 'NOT_ALLOWED') return broken(`a request to mount ${source} (${access}) was not refused: ${how}`)
      }
    return held(
      `${places.length} places of the log, state and configuration do not exist in the cell (${result.tried[0]?.[1]}); eight requests to mount them were refused`,
    )
  },
}
