import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const startFollowsNoLink: Guarantee = {
  id: 'start-follows-no-link',
  chapter: 'files',
  claim: 'A link that one cell plants in its private home cannot redirect a mount of the next cell.',
  mechanism:
    "Links on the path of a mount are refused before the start. Then the host compares the cell's mount table with the plan before it lets the agent continue.",
  kind: 'policy',
  why: 'Paddock compares the mounts that the kernel made (device and root of each), not the paths that were requested.',
  fails: [
    'Another cell of the same project and agent that swaps directories at exactly this moment can cause an empty directory to be made elsewhere. The start is then refused.',
  ],
  notAt: ['L1'],
  probe: async (bench) => {
    const home = await bench.directory()
    const tools = await bench.directory()
    const project = await bench.project()
    await mkdir(path.join(tools, 'bin'))
    const wishes = { project, home: { kind: 'persistent', path: home } } as const
    const target = path.join(bench.machine.user.home, '.planted/bin')
    const first = await bench.inside(
      ({ fs, env, attempt }) =>
        attempt(() => {
          fs.mkdirSync(`${env['HOME']}/target`)
          fs.symlinkSync('target', `${env['HOME']}/.planted`)
        }),
      null,
      wishes,
    )
    if (first.result !== 'ok') return broken(`the link could not be planted: ${first.result}`)
    const before = readdirSync(path.join(home, 'target')).join(' ')
    let outcome = 'started'
    try {
      await bench.run(['/bin/true'], { ...wishes, mounts: [{ source: tools, target, access: 'ro' }] })
    } catch (error) {
      outcome = error instanceof PaddockError ? error.code : String(error)
    }
    const after = readdirSync(path.join(home, 'target')).join(' ')
    if (after !== before) return broken(`a mount was redirected: ${after}`)
    if (outcome !== 'CELL_FAILED') return broken(`with a planted link on the path of a mount, the next cell: ${outcome}`)
    const { report } = await bench.run(['/bin/true'], { project, mounts: [{ source: tools, target, access: 'ro' }] })
    if (report.ending.kind !== 'exited' || report.ending.code !== 0) return broken('without the link the mount could not be made either')
    return held(
      'a link planted in a private home, on the path of a mount of the next cell: the start was refused (CELL_FAILED), and nothing was made at its target',
    )
  },
}
