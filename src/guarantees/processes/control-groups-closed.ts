import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

export const controlGroupsClosed: Guarantee = {
  id: 'control-groups-closed',
  chapter: 'processes',
  claim: 'A cell can change no control group, its own limits included, and does not see which one of the host it is in.',
  mechanism: 'A cgroup namespace of its own (cgroup_namespaces(7)), and no mount of the control group file systems.',
  kind: 'structural',
  why: 'Limits are set in files that the cell has no path to; the names of groups, which tell of services and containers, are cut off.',
  fails: [
    'It may see the last part of its group’s name, which is the cell’s own number.',
    'The memory and processors in /proc are the machine’s, not the limits.',
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
    if (result.own.trim() === '') return broken('the cell could not read its own control groups, so nothing was shown')
    const shown = [...groups(result.own), ...groups(result.init)].filter((each) => !/^(\/|(\/\.\.)*(\/paddock-[0-9a-f]+)?)$/.test(each))
    if (shown.length > 0) return broken(`groups of the host by name: ${[...new Set(shown)].slice(0, 4).join(', ')}`)
    if (result.mounts > 0 || result.files !== 'ENOENT') return broken(`control groups are mounted in the cell (${result.mounts} mounts)`)
    return held(
      `${groups(result.own).length} hierarchies, shown as ${[...new Set(groups(result.own))].join(', ')}; no file of them is there`,
    )
  },
}
