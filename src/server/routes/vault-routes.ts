import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { durationPattern, durationRule } from '../../base/quantities.ts'
import { credentialSchema } from '../../credentials/credentials-results.ts'
import { vaultEntrySchema, vaultResults } from '../../credentials/vault/vault-results.ts'
import { callerOf } from '../access/caller.ts'
import type { Access } from '../access/server-access.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'

const params = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/, { error: 'is not the name of a secret' })
    .describe('The name of the secret.'),
})
const oneLine = z.string().regex(/^[^\n\r\0]*$/, { error: 'must be one line' })

/** `/api/v1/credentials` and `/api/v1/vault`: names and health. Responses never contain the value of a secret. */
export function vaultRoutes(app: App, command: OwnCommand, { tries }: Pick<Access, 'tries'>): void {
  let isUnlocking = false
  app.get(
    '/api/v1/credentials',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'listCredentials',
        summary: 'Lists the logins and keys of agents on this machine: source, expiry and problems, never a secret.',
        response: { 200: z.object({ items: z.array(credentialSchema) }) },
      },
    },
    async () => ({ items: (await command('credentials list')).credentials }),
  )
  app.get(
    '/api/v1/vault',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'listVault',
        summary: 'Lists names and hosts of the secrets in the vault; 423 while it is locked.',
        response: {
          200: z.object({
            items: z.array(vaultEntrySchema),
            until: z.string().nullable().describe('When it locks again; null if the keyring opens it.'),
          }),
        },
      },
    },
    async () => {
      const { entries, until } = await command('vault list')
      return { items: entries, until }
    },
  )
  app.post(
    '/api/v1/vault/unlock',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'unlockVault',
        summary: 'Unlocks the vault for a limited time.',
        body: z.strictObject({
          passphrase: oneLine.min(1).max(1024),
          for: z
            .string()
            .regex(new RegExp(durationPattern), { error: `must be ${durationRule}` })
            .default('8h')
            .describe('For how long; at most 24h.'),
        }),
        response: { 200: vaultResults['vault unlock'] },
      },
    },
    async (request) => {
      const { credential } = callerOf(request)
      if (isUnlocking) throw new PaddockError('BUSY', 'Another passphrase is being tried.', { hint: 'Try again in a second' })
      tries.attempt(credential, () => true)
      isUnlocking = true
      try {
        return await command('vault unlock', [`--for=${request.body.for}`], { input: `${request.body.passphrase}\n` })
      } catch (error) {
        if (error instanceof PaddockError && error.code === 'WRONG_PASSPHRASE') tries.attempt(credential, () => null)
        throw error
      } finally {
        isUnlocking = false
      }
    },
  )
  app.post(
    '/api/v1/vault/lock',
    {
      config: { role: 'owner' },
      schema: { operationId: 'lockVault', summary: 'Locks the vault at once.', response: { 200: vaultResults['vault lock'] } },
    },
    () => command('vault lock'),
  )
  app.put(
    '/api/v1/vault/:name',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'setSecret',
        summary: 'Stores a secret in the vault, which must be unlocked.',
        params,
        body: z.strictObject({
          value: z.string().min(1).max(65_536),
          place: z
            .string()
            .regex(/^(?:header|query|basic):[^\s]{1,300}$/, { error: 'must be header:NAME, header:NAME=SCHEME, query:NAME or basic:USER' })
            .optional()
            .describe('Where it goes in a request, for example `header:x-api-key`; by default, where the agent puts it.'),
          hosts: z
            .array(oneLine.min(1).max(253))
            .max(64)
            .optional()
            .describe('Hosts that it may be sent to; by default, a stored secret keeps its hosts.'),
        }),
        response: { 200: vaultEntrySchema },
      },
    },
    async ({ params: { name }, body: { value, place, hosts = [] } }) => {
      const where = [...hosts.map((each) => `--host=${each}`), ...(place === undefined ? [] : [`--place=${place}`])]
      // The final newline is part of the input format, not of the value.
      return (await command('vault set', [...where, '--', name], { input: `${value}\n` })).entry
    },
  )
  app.delete(
    '/api/v1/vault/:name',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'deleteSecret',
        summary: 'Removes a secret from the vault, which must be unlocked.',
        params,
        response: { 200: vaultResults['vault rm'] },
      },
    },
    ({ params: { name } }) => command('vault rm', ['--', name]),
  )
}
