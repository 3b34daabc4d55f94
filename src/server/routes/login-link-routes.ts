import * as z from 'zod'
import { loginLinkMs } from '../access/open-login-links.ts'
import { roles } from '../access/role-order.ts'
import type { Access } from '../access/server-access.ts'
import type { App } from '../server-deps.ts'
import { tokenName } from './token-routes.ts'

/** `/api/v1/login-links`: creates login links, only over the Unix socket. */
export function loginLinkRoutes(app: App, access: Access): void {
  app.post(
    '/api/v1/login-links',
    {
      config: { role: 'owner', over: 'unix' },
      schema: {
        operationId: 'createLoginLink',
        summary: 'Creates a code that starts one browser session.',
        body: z.strictObject({
          role: z.enum(roles).default('owner'),
          name: tokenName
            .nullable()
            .default(null)
            .describe('Whose session it is, as jobs and the audit log name it; by default, its role.'),
        }),
        response: {
          201: z.object({
            code: z.string().describe("Goes in the fragment of the page's URL."),
            role: z.enum(roles),
            expiresInSeconds: z.int(),
          }),
        },
      },
    },
    async (request, reply) => {
      const { role, name } = request.body
      return reply.code(201).send({ code: access.loginLinks.issue({ role, name }), role, expiresInSeconds: loginLinkMs / 1_000 })
    },
  )
}
