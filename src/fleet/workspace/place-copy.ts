import path from 'node:path'
import { credentialPlaces } from '../../adapters/credential-places.ts'
import { rulesOfHost } from '../../adapters/facts.ts'
import { openAuditLog } from '../../audit/log.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import { copyForRun } from '../../copy/for-run.ts'
import type { PlacedWorkspace, WorkspaceHost } from './placed-workspace.ts'

/** Copies the project of a job for the job's cell. The changes of the job are reviewed and applied like those of any other copy. */
export async function placeCopy(spec: CellSpec, host: WorkspaceHost): Promise<PlacedWorkspace> {
  const copy = await copyForRun(spec, { ignored: false }, { ...copyHost(host), machine: host.machine })
  return {
    spec: copy.spec,
    notes: copy.notes,
    discard: () => copy.discard(),
    async end(cellReport) {
      const { report, copy: id, withSecrets, problem } = await copy.end(cellReport)
      const notes = [
        ...(problem === null ? [] : [`The copy could not be compared with the project: ${problem}`]),
        ...(withSecrets === 0 ? [] : [`${withSecrets} of the changed files contain what looks like a secret.`]),
      ]
      return { report, copy: id, notes }
    },
  }
}

function copyHost({ paths, env }: WorkspaceHost): CopyHost {
  return {
    paths,
    env,
    runLater: rulesOfHost,
    credentials: credentialPlaces(paths.userHome),
    note(kind, data) {
      const audit = openAuditLog(path.join(paths.state, 'audit'))
      audit.write({ kind, data })
      audit.close()
    },
    progress: () => ({ step: () => undefined, [Symbol.dispose]: () => undefined }),
  }
}
