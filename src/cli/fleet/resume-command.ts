import { existsSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { resumeStore } from '../../fleet/resume.ts'
import { openStore } from '../../fleet/store/fleet-store.ts'
import type { Pause } from '../../fleet/store/pause-store.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { answered, connectedServer, type ServerOptions } from './connect.ts'
import { fleetOf } from './data-option.ts'

/** Runs `paddock fleet resume`, through the server if one is running. */
export async function resumeFleet(options: ServerOptions): Promise<Answer<Result<'fleet resume'>>> {
  const ended = await resume(options)
  const jobs = ended?.jobs === true ? ', Discord and queued jobs' : ' and Discord'
  const lines = [ended === null ? 'The fleet is not paused.' : `The pause has ended for schedules, webhooks, hooks${jobs}.`]
  return { data: { ended }, lines }
}

async function resume(options: ServerOptions): Promise<Pause | null> {
  const server = connectedServer(options)
  if (server !== null) {
    try {
      return answered(await server.POST('/api/v1/resume')).ended
    } catch (error) {
      // A server that was killed leaves its socket.
      if (!(error instanceof PaddockError) || error.code !== 'NOT_FOUND') throw error
    }
  }
  const data = fleetOf(options.data, resolvePaths(process.env))
  if (!existsSync(data.database))
    throw new PaddockError('NOT_FOUND', `There is no fleet in ${data.root}.`, { hint: 'Name it with --data DIRECTORY' })
  using store = await openStore(data)
  return resumeStore(store, Date.now())
}
