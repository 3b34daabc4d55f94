import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type * as PlanFor from '../../../src/cell/plan/plan-for.ts'
import type * as RunLaterTable from '../../../src/cell/plan/protected/protected-paths.ts'
import type * as OwnGit from '../../../src/cell/trees/own-git.ts'
import type * as Later from '../../../src/worktree/run-later-changes.ts'
import { changedSource } from './change-source.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const trustSabotages: readonly Sabotage[] = [
  {
    id: 'project-file-needs-trust',
    without: 'the comparison with the trusted file',
    egress: 'off',
    evidence: /nobody had trusted/,
    nodeOptions: changedSource('config/trusted-projects.ts', "known === undefined ? 'unknown'", "known === undefined ? 'trusted'"),
    break: () => undefined,
  },
  {
    id: 'project-file-needs-trust',
    without: 'the hash in the comparison with the trusted file',
    egress: 'off',
    evidence: /changed since/,
    nodeOptions: changedSource('config/trusted-projects.ts', "known.sha256 === sha256 ? 'trusted'", "known.sha256 !== '' ? 'trusted'"),
    break: () => undefined,
  },
  {
    id: 'project-file-fixed',
    without: 'the file in the list of protected paths',
    egress: 'off',
    evidence: /was changed from a cell/,
    break: () =>
      replace<typeof RunLaterTable>('cell/plan/protected/protected-paths.ts', ({ runLaterTable }) => ({
        runLaterTable: (rows) => runLaterTable(rows).filter((each) => each.names !== '/.paddock.yaml'),
      })),
  },
  {
    id: 'copy-leaves-project',
    without: 'the copy in the plan',
    egress: 'off',
    evidence: /was changed by a cell/,
    break: () =>
      replace<typeof PlanFor>('cell/plan/plan-for.ts', ({ planFor }) => ({
        planFor: ({ projectCopy: _, ...spec }, ...rest) => planFor(spec, ...rest),
      })),
  },
  {
    id: 'review-runs-nothing',
    without: 'a separate git directory',
    egress: 'off',
    evidence: /ran a program/,
    break: () =>
      replace<typeof OwnGit>('cell/trees/own-git.ts', ({ ownGit }) => ({
        ownGit: (args, places, options) => {
          const tree = path.join(path.dirname(places.gitDirectory), 'tree')
          execFileSync('git', ['status'], { cwd: existsSync(tree) ? tree : places.workTree, stdio: 'ignore' })
          return ownGit(args, places, options)
        },
      })),
  },
  {
    id: 'review-runs-nothing',
    without: 'fixed directories for the programs that Paddock runs',
    egress: 'off',
    evidence: /ran sync(, sync)* of the project, through PATH/,
    nodeOptions: changedSource(
      'system/host-program.ts',
      'const trusted = [...systemDirectories, ...(rules?.own ?? [])]',
      "const trusted = [...(process.env.PATH ?? '').split(':'), ...systemDirectories]",
    ),
    break: () => undefined,
  },
  {
    id: 'merge-shows-later',
    without: 'the marks of the paths that a merge changes',
    egress: 'off',
    evidence: /were merged without a question/,
    break: () => replace<typeof Later>('worktree/run-later-changes.ts', () => ({ laterAmong: () => [] })),
  },
]
