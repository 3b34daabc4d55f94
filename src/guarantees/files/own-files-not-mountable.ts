import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { type CellWishes, collect } from '../probe/bench.ts'
import { unlessAll } from '../probe/outcomes.ts'

export const ownFilesNotMountable: Guarantee = {
  id: 'own-files-not-mountable',
  chapter: 'files',
  claim:
    "No option mounts Paddock's own state, your whole home, or an interface of the host (/proc, /sys, /dev, /run) into a cell, not even read-only.",
  mechanism: 'The planner refuses such a mount (NOT_ALLOWED), and also refuses a directory above it and a project at that path.',
  kind: 'policy',
  why: 'Mounts are checked after links are resolved and before anything starts, by the same function for every job.',
  fails: [
    'A copy of these files elsewhere, or a path to them through a mount of the host that Paddock does not know of (such as a bind mount of yours).',
  ],
  probe: async (bench) => {
    const { state, config, data } = bench.own
    const sources = [
      ...[
        state,
        config,
        data,
        path.join(data, 'fleet'),
        path.join(state, 'cells'),
        path.dirname(state),
        path.dirname(config),
        '/',
        bench.machine.realHome,
      ],
      ...['/proc', '/sys', '/dev', '/run', '/run/user', '/proc/1'],
    ]
    const project = await bench.project()
    const tries: [string, CellWishes][] = [...new Set(sources)].flatMap((source): [string, CellWishes][] => [
      [`--ro ${source}`, { project, mounts: [{ source, target: '/mnt/it', access: 'ro' }] }],
      [`--rw ${source}`, { project, mounts: [{ source, access: 'rw' }] }],
      [`as project ${source}`, { project: source }],
    ])
    const tried: Record<string, string> = {}
    for (const [what, wishes] of tries) {
      // This probe does not test searching a whole machine for files that run later.
      if (what !== `--ro ${wishes.mounts?.[0]?.source}` && ![state, config, data].some((each) => what.includes(each))) continue
      tried[what] = await startOf(async () => {
        await collect(await bench.start(['/bin/true'], wishes))
      })
    }
    const fine = await bench.directory()
    const control = await startOf(async () => {
      await collect(await bench.start(['/bin/true'], { project, mounts: [{ source: fine, access: 'ro' }] }))
    })
    if (control !== 'started') return broken(`a harmless mount was refused too: ${control}`)
    const finding = unlessAll(tried, ['NOT_ALLOWED'])
    return (
      finding ??
      held(`${Object.keys(tried).length} mounts of Paddock's own directories, the home, and interfaces of the host: each NOT_ALLOWED`)
    )
  },
}

async function startOf(start: () => Promise<void>): Promise<string> {
  try {
    await start()
    return 'started'
  } catch (error) {
    return error instanceof PaddockError ? error.code : String(error)
  }
}
