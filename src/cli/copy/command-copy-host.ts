import { rulesOfHost } from '../../adapters/agent-facts.ts'
import { credentialPlaces } from '../../adapters/credential-places.ts'
import { resolvePaths } from '../../base/paths.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import { noteEvent } from '../audit/note-event.ts'
import { noProgress, progressLine } from '../terminal/progress-line.ts'

/** Returns the dependencies of commands that work on copies. `quiet`: long operations show no progress. */
export function cliCopyHost({ quiet = false }: { readonly quiet?: boolean } = {}): CopyHost {
  const { env } = process
  const paths = resolvePaths(env)
  return {
    paths,
    env,
    runLater: rulesOfHost,
    credentials: credentialPlaces(paths.userHome),
    note: (kind, data) => noteEvent(paths, kind, data),
    progress: (what, unit) => (quiet ? noProgress : progressLine(what, unit)),
  }
}
