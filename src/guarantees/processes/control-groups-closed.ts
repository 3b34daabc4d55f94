import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

export const controlGroupsClosed: Guarantee = {
  id: 'control-groups-closed',
  chapter: 'processes',
  claim: 'A cell can change no control group, including its own limits, and cannot see which host group it is in.',
  mechanism: 'A separate cgroup namespace (cgroup_namespaces(7)), and no mount of the control group file systems.',
  kind: 'structural',
  why: 'Limits are set in files that the cell has no path to. Group names, which reveal services and containers, are cut off.',
  fails: [
    "A cell may see the last part of its group's name, which is the cell's own number.",
    '/proc shows the memory and processors of the machine, not the limits.',
  ],
  probe: async (bench) => {
    const groups = (text: string): readonly string[] =>
      text
        .trim()
        .split('\n')
        .map((line) => line.split(':').slice(2).join(':'))
    const host = groups(readFileSync('/proc/self/cgroup', 'utf8'))
    if (host.length === 0) return unenforceable('the kernel has no control groups')
    const { result } = await bench.inside(
      ({ fs, attempt }) => ({
        own: fs.readFileSync('/proc/self/cgroup', 'utf8'),
        mounts: fs
          .readFileSync('/proc/self/mountinfo', 'utf8')
          .split('\n')
          .filter((line) => / - cgroup2? /.test(line)).length,
        files: attempt(() => fs.readdirSync('/sys/fs/cgroup')),
        init: fs.existsSync('/proc/1/cgroup') ? fs.readFileSync('/proc/1/cgroup', 'utf8') : '',
      }),
      null,
    )
    if (result.own.trim() === '') return broken('the cell could not read its own control groups, so the probe is inconclusive')
    const shown = [...groups(result.own), ...groups(result.init)].filter((each) => !/^(\/|(\/\.\.)*(\/paddock-[0-9a-f]+)?)$/.test(each))
    if (shown.length > 0) return broken(`groups of the host by name: ${[...new Set(shown)].slice(0, 4).join(', ')}`)
    if (result.mounts > 0 || result.files !== 'ENOENT') return broken(`control groups are mounted in the cell (${result.mounts} mounts)`)
    return held(
      `${groups(result.own).length} hierarchies, shown as ${[...new Set(groups(result.own))].join(', ')}; none of their files exist`,
    )
  },
}
