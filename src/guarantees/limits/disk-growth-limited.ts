import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
/** MiB that the cell writes if no limit ends it. */
const most = 64

export const diskGrowthLimited: Guarantee = {
  id: 'disk-growth-limited',
  chapter: 'limits',
  claim: 'A cell whose writable host directories grow by more than its limit (32 GiB by default) is ended within seconds.',
  mechanism:
    'The host process measures growth since the start every two seconds, or less often in large trees. Each new or changed entry counts as at least 4 KiB.',
  kind: 'policy',
  why: "The blocks are measured on the host's own disk, from outside, so nothing in the cell can falsify the result.",
  fails: [
    'This is monitoring, not a quota: between two checks a cell can write more than the limit.',
    'A directory that cannot be measured counts as exceeding the limit: one that the cell made unreadable, or one more than 760 levels deep.',
    'A file that was deleted while open is not found, and uses disk space until the cell has ended.',
  ],
  probe: async (bench) => {
    const project = await bench.project()
    const script = `i=0; while [ $i -lt ${most} ]; do head -c ${MiB} /dev/zero > f$i; i=$((i+1)); done; echo written; sleep 7`
    const { report, stdout } = await bench.run(['/bin/sh', '-c', script], { project, limits: { disk: 16 * MiB } })
    if (report.ending.kind === 'out-of-disk')
      return held(`a cell with a limit of 16 MiB that wrote ${most} MiB was ended after ${(report.durationMs / 1000).toFixed(1)} s`)
    if (!stdout.includes('written'))
      return broken(`the cell ended before it had written everything (${report.ending.kind}), so the probe is inconclusive`)
    return broken(`a cell with a limit of 16 MiB wrote ${most} MiB and was not ended (${report.ending.kind})`)
  },
}
