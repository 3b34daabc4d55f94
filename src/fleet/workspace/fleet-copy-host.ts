import path from 'node:path'
import { rulesOfHost } from '../../adapters/agent-facts.ts'
import { credentialPlaces } from '../../adapters/credential-places.ts'
import { openAuditLog } from '../../audit/audit-log.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import type { WorkspaceHost } from './placed-workspace.ts'

/** Returns the dependencies of work on copies and work trees in a host process. */
export function copyHost({ paths, env }: WorkspaceHost): CopyHost {
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
