import * as z from 'zod'
import { placeSchema } from './vault-schema.ts'

const schemaVersion = z.literal(1)
export const vaultEntrySchema = z.strictObject({
  name: z.string(),
  bytes: z.int(),
  hosts: z.array(z.string()),
  place: placeSchema.optional().describe('Where it goes in a request; if absent, where the agent puts it.'),
  createdAt: z.string(),
  updatedAt: z.string(),
})
const kind = z.enum(['passphrase', 'keyring'])
const oneEntry = z.strictObject({ schemaVersion, entry: vaultEntrySchema })

export const vaultResults = {
  'vault init': z.strictObject({ schemaVersion, file: z.string(), kind }),
  'vault set': oneEntry,
  'vault list': z.strictObject({
    schemaVersion,
    entries: z.array(vaultEntrySchema),
    until: z.string().nullable().describe('When the vault locks automatically; null if it is locked.'),
  }),
  'vault show': oneEntry,
  'vault rm': z.strictObject({ schemaVersion, removed: z.string() }),
  'vault unlock': z.strictObject({
    schemaVersion,
    file: z.string(),
    until: z.string(),
    restored: z.boolean().describe('Whether the file had been deleted and was written again.'),
  }),
  'vault lock': z.strictObject({ schemaVersion, locked: z.literal(true), was: z.enum(['unlocked', 'locked']), directory: z.string() }),
  'vault export': z.strictObject({
    schemaVersion,
    to: z.string(),
    entries: z.int(),
    lockedBy: z.enum(['nothing', 'passphrase', 'recipient']),
  }),
  'vault rekey': z.strictObject({ schemaVersion, file: z.string(), kind }),
}
