import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
/** The number of MiB that the cell writes if no limit ends it. */
const most = 64

export const diskGrowthLimited: Guarantee = {
  id: 'disk-growth-limited',
  chapter: 'limits',
  claim: 'A cell whose writable directories of the host grow by more than its limit (32 GiB by default) is ended within seconds.',
  mechanism:
    'The host process measures what was written since the start, every two seconds or, in large trees, less often. Each new or changed entry counts as 4 KiB at least.',
  kind: 'policy',
  why: 'The measure is of blocks on the host’s own disk, taken from outside; nothing in the cell can answer for it.',
  fails: [
    'It is a watch and no quota: between two looks more can be written than the limit says.',
    'What cannot be measured counts as too much: a directory that the cell closed to you, or one deeper than 760 levels.',
    'A file that was deleted while it is open is not found, and keeps its room until the cell has ended.',
  ],
  probe: async (bench) => {
    const project = await bench.project()
    const script = `i=0; while [ $i -lt ${most} ]; do head -c ${MiB} /dev/zero > f$i; i=$((i+1)); done; echo written; sleep 7`
    const { report, stdout } = await bench.run(['/bin/sh', '-c', script], { project, limits: { disk: 16 * MiB } })
    if (report.ending.kind === 'out-of-disk')
      return held(`a cell with a limit of 16 MiB that wrote ${most} MiB was ended after ${(report.durationMs / 1000).toFixed(1)} s`)
    if (!stdout.includes('written')) return broken(`the cell ended without having written (${report.ending.kind}), so nothing was shown`)
    return broken(`a cell with a limit of 16 MiB wrote ${most} MiB and was not ended (${report.ending.kind})`)
  },
}
