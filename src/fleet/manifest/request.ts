import { readRequest } from '../../config/request/read.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { Manifest } from './schema.ts'

/**
 * Returns what a manifest asks of each run of its agent. Places in messages are its keys: `egress.allow[0]`.
 * @throws PaddockError BAD_INPUT naming the key, what was wrong and what would be right
 */
export function manifestRequest(manifest: Manifest): RunRequest {
  return readRequest(
    { agent: manifest.agent, ...(manifest.command === undefined ? {} : { command: manifest.command }) },
    manifest,
    (key, index) => ({ place: index === undefined ? key : `${key}[${index}]`, from: 'caller' }),
  )
}
