import * as z from 'zod'
import type { YourJudging } from '../../contest/judging/yours/your-judging.ts'
import { judgingAssets } from '../../contest/report/page/assets.ts'
import { judgingPage } from '../../contest/report/page/judging-page.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'

/** Returns the policy of a report, which frames with submissions inherit. In addition, the script may connect to this server. */
const policy = (): string =>
  [
    "default-src 'none'",
    `script-src ${judgingAssets().scriptSource}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const standing = {
  of: z.int(),
  answered: z.int(),
  next: z.int().nullable().describe('The position of the first pair without an answer; null if all have one.'),
}
const answer = { better: z.enum(['A', 'B', 'tie']), why: z.string().max(20_000).nullable() }
const place = z.object({ place: z.coerce.number().int().min(1).max(1_000_000) })

/** Adds the page on which you judge, and the routes that its script uses. */
export function judgingRoutes(app: App, judging: YourJudging, done: () => void): void {
  const stands = () => ({ of: judging.of, answered: judging.answered, next: judging.next })
  const notHere = (): Refusal => new Refusal('NOT_FOUND', 'There is no such pair, or it is not its turn.')
  const page = judgingPage()
  app.get('/', { config: { role: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.header('content-security-policy', policy()).header('content-type', 'text/html; charset=utf-8').send(page),
  )
  app.get(
    '/api/v1/judging',
    {
      config: { role: 'owner' },
      schema: { response: { 200: z.object({ ...standing, texts: z.array(z.object({ title: z.string(), text: z.string() })) }) } },
    },
    async () => ({ ...stands(), texts: [...judging.texts] }),
  )
  app.get(
    '/api/v1/pairs/:place',
    {
      config: { role: 'owner' },
      schema: {
        params: place,
        response: {
          200: z.object({
            work: z.object({ index: z.string(), data: z.string() }),
            someRenamed: z.boolean(),
            changes: z.string().nullable(),
            answer: z.object(answer).nullable(),
          }),
        },
      },
    },
    async ({ params }) => {
      const shown = await judging.show(params.place)
      if (shown === null) throw notHere()
      return { ...shown }
    },
  )
  app.put(
    '/api/v1/pairs/:place/answer',
    { config: { role: 'owner' }, schema: { params: place, body: z.strictObject(answer), response: { 200: z.object(standing) } } },
    async ({ params, body }, reply) => {
      const { better, why } = body
      const isKept = await judging.answer(params.place, { better, why: why === null || why.trim() === '' ? null : why })
      if (!isKept) throw notHere()
      if (judging.next === null) reply.raw.once('finish', done)
      return stands()
    },
  )
}
