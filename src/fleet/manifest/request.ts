import { readRequest } from '../../config/request/read.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { Manifest } from './schema.ts'

/** What carries out the tools of a model, as its cell starts it. */
export const runnerCommand = ['/run/paddock/bin/node', '/run/paddock/bin/runner.mjs'] as const

/**
 * Returns what a manifest asks of each run of its agent. Places in messages are its keys: `egress.allow[0]`.
 * @throws PaddockError BAD_INPUT naming the key, what was wrong and what would be right
 */
export function manifestRequest(manifest: Manifest): RunRequest {
  return requestOf(manifest, manifest.kind === 'model' ? runnerCommand : null, false)
}

/**
 * Returns what a manifest asks of a terminal of its agent, whose user ends it: without a limit of time or silence. `command`: what runs there;
 * null: the CLI or the command of the manifest.
 * @throws PaddockError as `manifestRequest`
 */
export function terminalRequest(manifest: Manifest, command: readonly string[] | null): RunRequest {
  const request = requestOf(manifest, command, true)
  const { timeout: _, silence: __, ...limits } = request.limits
  return { ...request, limits }
}

/** `command`: instead of the agent. */
function requestOf(manifest: Manifest, command: readonly string[] | null, terminal: boolean): RunRequest {
  const { model: _, baseUrl: __, args: ___, ...cell } = manifest
  const own = { agent: manifest.agent, ...(manifest.command === undefined ? {} : { command: manifest.command }) }
  return readRequest(
    { ...(command === null ? own : { agent: 'command', command }), terminal },
    // Model, endpoint and arguments are the agent's: those of a model are the host process's.
    command === null ? manifest : cell,
    (key, index) => ({ place: index === undefined ? key : `${key}[${index}]`, from: 'caller' }),
  )
}
