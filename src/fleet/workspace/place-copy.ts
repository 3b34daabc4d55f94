import { copyForRun, type RunCopy } from '../../copy/for-run.ts'
import { copyHost } from './fleet-copy-host.ts'
import type { SetUpTree, Workspace, WorkspaceHost } from './placed-workspace.ts'

/** Copies a project for the cell of a job. The changes of the job are reviewed and applied like those of any other copy. */
export function inCopy(project: string, setUp: SetUpTree | null, host: WorkspaceHost): Workspace {
  let copy: RunCopy | null = null
  return {
    path: project,
    async place(spec) {
      const said: string[] = []
      const options = { ignored: false, setUp: setUp === null ? null : (tree: string) => setUp(tree, (line) => said.push(line)) }
      const made = await copyForRun(spec, options, { ...copyHost(host), machine: host.machine })
      copy = made
      return {
        spec: made.spec,
        notes: [...made.notes, ...said],
        async end(cellReport) {
          const { report, copy: id, withSecrets, problem } = await made.end(cellReport)
          const notes = [
            ...(problem === null ? [] : [`The copy could not be compared with the project: ${problem}`]),
            ...(withSecrets === 0 ? [] : [`${withSecrets} of the changed files contain what looks like a secret.`]),
          ]
          return { report, copy: id, worktree: null, notes }
        },
      }
    },
    discard: async () => copy?.discard(),
  }
}
