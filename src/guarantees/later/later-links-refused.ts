import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'
import { unlessAll } from '../probe/outcomes.ts'

export const linkedPlacesRefused: Guarantee = {
  id: 'later-links-refused',
  chapter: 'later',
  claim: 'No cell starts if a protected path is a symbolic link.',
  mechanism: 'The planner finds such links, including in the directories above and in .git, and refuses to start (UNENFORCEABLE).',
  kind: 'policy',
  why: 'The mount would cover the target of the link, and the link itself could be replaced, so the protection would fail.',
  fails: ['You give it up for one run with --allow-degraded run-later, and the report says so.'],
  probe: async (bench) => {
    const tried: Record<string, string> = {}
    for (const place of ['.vscode', '.envrc', 'sub/.claude', '.git', '.git/config', '.git/hooks']) {
      const project = await bench.project({
        'elsewhere/file': '',
        'sub/file': '',
        ...(place.startsWith('.git/') ? { '.git/HEAD': '' } : {}),
      })
      await symlink(path.join(project, 'elsewhere'), path.join(project, place))
      tried[place] = await outcomeOf(async () => {
        await collect(await bench.start(['/bin/true'], { project }))
      })
    }
    const control = await outcomeOf(async () => {
      await collect(await bench.start(['/bin/true'], { project: await bench.project({ 'sub/file': '' }) }))
    })
    if (control !== 'started') return broken(`a project without such links was refused too: ${control}`)
    const finding = unlessAll(tried, ['UNENFORCEABLE'])
    return finding ?? held(`links at ${Object.keys(tried).join(', ')}: each start refused`)
  },
}

async function outcomeOf(start: () => Promise<void>): Promise<string> {
  try {
    await start()
    return 'started'
  } catch (error) {
    return error instanceof PaddockError ? error.code : String(error)
  }
}
