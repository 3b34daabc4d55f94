import * as z from 'zod'
import { appliedSchema, undoneSchema } from '../../contest/result-parts.ts'
import { reviewSchema } from '../../copy/copy-results.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'
import { applyWish, wordsOf } from './change-routes.ts'

export interface ContestChangeRoutes {
  /** Returns the directory of a contest that no process works on. Throws NOT_FOUND and CONFLICT. */
  readonly ended: (id: string) => Promise<string>
  readonly command: OwnCommand
}

const params = z.object({ contest: z.string().max(64).describe('Its id.') })
const participant = z.string().regex(safeNamePattern).describe('A participant, whose newest work is used.')
/** Adds routes for participants' changes in a contest's project. The server's user chooses the project; requests cannot name one. */
export function contestChangeRoutes(app: App, { ended, command }: ContestChangeRoutes): void {
  app.get(
    '/api/v1/contests/:contest/changes',
    {
      // This creates a copy, which stays until it is applied or discarded.
      config: { role: 'operator' },
      schema: {
        operationId: 'reviewContestWork',
        summary:
          'Returns what a participant changed in the project that the contest was made from: files, diffs, protected paths, secrets found.',
        params,
        querystring: z.strictObject({ participant, stat: z.stringbool().default(false).describe('Leave out the diffs.') }),
        response: { 200: reviewSchema },
      },
    },
    async ({ params, query }) => {
      const { copy } = await command('contest apply', ['--dry-run', '--', await ended(params.contest), query.participant])
      return await command('review', [...(query.stat ? ['--stat'] : []), copy ?? ''])
    },
  )
  app.post(
    '/api/v1/contests/:contest/apply',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'applyContestWork',
        summary: "Applies a participant's changes to the project that the contest was made from, all or some.",
        params,
        body: z.strictObject({ participant, ...applyWish }),
        response: { 200: appliedSchema },
      },
    },
    async ({ params, body }) => await command('contest apply', [...wordsOf(body), '--', await ended(params.contest), body.participant]),
  )
  app.post(
    '/api/v1/contests/:contest/undo',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'undoContestApply',
        summary: 'Undoes the last apply of this contest in the project.',
        params,
        response: { 200: undoneSchema },
      },
    },
    async ({ params }) => command('contest apply --undo', ['--', await ended(params.contest)]),
  )
}
