import * as z from 'zod'
import { Refusal } from '../problem.ts'
import type { App, AppDeps } from '../server-deps.ts'

const ok = z.object({ ok: z.literal(true) })

/** `/healthz`: the process is running. `/readyz`: the server can accept work. */
export function healthRoutes(app: App, deps: Pick<AppDeps, 'notReady'>): void {
  app.get(
    '/healthz',
    {
      config: { role: 'public' },
      schema: { operationId: 'getHealth', summary: 'Returns that the server is running.', response: { 200: ok } },
    },
    async () => ({ ok: true }) as const,
  )
  app.get(
    '/readyz',
    {
      config: { role: 'public' },
      schema: { operationId: 'getReadiness', summary: 'Returns whether the server can take work.', response: { 200: ok } },
    },
    async () => {
      const reason = deps.notReady()
      if (reason !== null) throw new Refusal('BUSY', reason, { headers: { 'retry-after': '5' } })
      return { ok: true } as const
    },
  )
}
