import * as z from 'zod'
import { reviewSchema } from '../../copy/results.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import type { OwnCommand } from '../../fleet/workspace/own-command.ts'
import type { App } from '../deps.ts'
import { applyWish, wordsOf } from './changes.ts'

export interface ContestChangeRoutes {
  /** Returns the directory of a contest that no process works on. Throws NOT_FOUND and CONFLICT. */
  readonly ended: (id: string) => Promise<string>
  readonly command: OwnCommand
}

const params = z.object({ contest: z.string().max(64).describe('Its id.') })
const participant = z.string().regex(safeNamePattern).describe('A participant, whose newest work is used.')
/** The output of `paddock contest apply --json`. */
const appliedSchema = z
  .looseObject({
    project: z.string(),
    participant: z.string(),
    round: z.int(),
    written: z.array(z.string()),
    deleted: z.array(z.string()),
    same: z.array(z.string()),
    committed: z.boolean().nullable(),
    left: z.int(),
  })
  .meta({ id: 'ContestApplied' })
const undoneSchema = z.looseObject({
  project: z.string(),
  participant: z.string(),
  written: z.array(z.string()),
  deleted: z.array(z.string()),
})

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
      const looked = await command(['contest', 'apply', '--dry-run', '--json', '--', await ended(params.contest), query.participant])
      const { copy } = z.looseObject({ copy: z.string() }).parse(looked)
      return reviewSchema.parse(await command(['review', '--json', ...(query.stat ? ['--stat'] : []), copy]))
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
    async ({ params, body }) => {
      const paths = (body.paths ?? []).map((each) => `--path=${each}`)
      const words = ['contest', 'apply', '--json', ...wordsOf(body), ...paths, '--', await ended(params.contest), body.participant]
      return appliedSchema.parse(await command(words))
    },
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
    async ({ params }) => undoneSchema.parse(await command(['contest', 'apply', '--undo', '--json', '--', await ended(params.contest)])),
  )
}
