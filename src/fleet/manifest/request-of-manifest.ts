import { readRequest } from '../../config/request/read-request.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { Manifest } from './manifest-schema.ts'

/** The command in a cell that runs the tools of a model. */
export const runnerCommand = ['/run/paddock/bin/node', '/run/paddock/bin/runner.mjs'] as const

/**
 * Returns the run request for each job of a manifest's agent. Messages name the manifest's keys: `egress.allow[0]`.
 * @throws PaddockError BAD_INPUT with the key, the mistake and the correct form
 */
export function manifestRequest(manifest: Manifest): RunRequest {
  return requestOf(manifest, manifest.kind === 'model' ? runnerCommand : null, false)
}

/**
 * Returns the request for a terminal of a manifest's agent, without timeout or silence limit, because the user ends it. `command`: the
 * command that runs there; null for the CLI or the command of the manifest.
 * @throws PaddockError as `manifestRequest`
 */
export function terminalRequest(manifest: Manifest, command: readonly string[] | null): RunRequest {
  const request = requestOf(manifest, command, true)
  const { timeout: _, silence: __, ...limits } = request.limits
  return { ...request, limits }
}

/** Returns the request for a job or a terminal. `command`: the command that replaces the agent, or null. */
function requestOf(manifest: Manifest, command: readonly string[] | null, terminal: boolean): RunRequest {
  const { model: _, baseUrl: __, args: ___, webTools: ____, ...cell } = manifest
  const own = { agent: manifest.agent, ...(manifest.command === undefined ? {} : { command: manifest.command }) }
  return readRequest(
    {
      ...(command === null ? own : { agent: 'command', command }),
      terminal,
      // Those of a CLI are the server's own.
      untrusted: Object.keys(manifest.mcp ?? {}).map((each) => `MCP server ${each}`),
    },
    // Model, endpoint and arguments belong to the agent; the host process uses those of a model.
    command === null ? manifest : cell,
    (key, index) => ({ place: index === undefined ? key : `${key}[${index}]`, from: 'caller' }),
  )
}
