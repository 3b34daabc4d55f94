import type { ConfigFile } from '../config/read-config.ts'
import { readRequest } from '../config/request/read-request.ts'
import type { RunRequest } from '../config/request/request.ts'
import type { SetupConfig } from '../config/setup-schema.ts'

/** The `setup` of a configuration. */
export interface SetupWish {
  readonly command: readonly string[]
  /** The directories that the command makes, relative to the tree. */
  readonly keep: readonly string[]
  /** The files that the command reads; null: the manifests and lock files at the root. */
  readonly files: readonly string[] | null
  /** The request for the cell of the command. */
  readonly request: RunRequest
}

const timeoutMs = 30 * 60_000

/** Returns the setup of these files, of which the last one counts; null if none has one. */
export function setupWish(files: readonly ConfigFile[]): SetupWish | null {
  const found = files.findLast((each) => each.config.setup !== undefined)
  const setup = found?.config.setup
  if (found === undefined || setup === undefined) return null
  return wishOf(
    setup,
    (key, index) => `${found.file}:${found.lineOf(['setup', ...key.split('.'), ...(index === undefined ? [] : [index])])}`,
  )
}

/** Returns the wish of a setup. `placeOf`: returns the place of a key, for messages. */
export function wishOf(
  { command, keep, files, egress = {}, limits }: SetupConfig,
  placeOf: (key: string, index?: number) => string,
): SetupWish {
  const hasHosts = (egress.allow?.length ?? 0) + (egress.presets?.length ?? 0) > 0
  const request = readRequest(
    { agent: 'command', command },
    { login: false, egress: { ...egress, policy: hasHosts ? 'allowlist' : 'off' }, limits },
    (key, index) => ({ place: placeOf(key, index), from: 'user' }),
  )
  return {
    command,
    keep,
    files: files ?? null,
    request: { ...request, limits: { ...request.limits, timeout: request.limits.timeout ?? timeoutMs } },
  }
}
