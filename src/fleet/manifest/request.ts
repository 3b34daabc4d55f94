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
  const { model: _, baseUrl: __, ...runner } = manifest
  const isModel = manifest.kind === 'model'
  return readRequest(
    isModel
      ? { agent: 'command', command: runnerCommand }
      : { agent: manifest.agent, ...(manifest.command === undefined ? {} : { command: manifest.command }) },
    // The model and its endpoint are the host process's.
    isModel ? runner : manifest,
    (key, index) => ({ place: index === undefined ? key : `${key}[${index}]`, from: 'caller' }),
  )
}
