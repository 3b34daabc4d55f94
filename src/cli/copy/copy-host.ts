import { rulesOfHost } from '../../adapters/facts.ts'
import { adapters } from '../../adapters/registry.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import { resolvePaths } from '../../paths.ts'
import { noteEvent } from '../audit/note-event.ts'
import { noProgress, progressLine } from '../terminal/progress-line.ts'

/** What commands on copies work with. `quiet`: long work shows no progress. */
export function cliCopyHost({ quiet = false }: { readonly quiet?: boolean } = {}): CopyHost {
  const { env } = process
  const paths = resolvePaths(env)
  const sources = adapters.flatMap((each) => each.credentials(paths.userHome))
  return {
    paths,
    env,
    runLater: rulesOfHost,
    credentials: {
      names: sources.flatMap((each) => (each.kind === 'env' ? [each.name] : [])),
      files: sources.flatMap((each) => (each.kind === 'snapshot' ? [each.hostPath] : [])),
    },
    note: (kind, data) => noteEvent(paths, kind, data),
    progress: (what, unit) => (quiet ? noProgress : progressLine(what, unit)),
  }
}
