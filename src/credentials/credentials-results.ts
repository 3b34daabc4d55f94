import * as z from 'zod'

const schemaVersion = z.literal(1)
export const credentialSchema = z.strictObject({
  agent: z.string().describe('The CLI that it is for; `gh` is the forge.'),
  provider: z.string().nullable().describe('The vendor, if the agent has logins at several.'),
  kind: z.enum(['subscription', 'key']).nullable(),
  source: z
    .union([
      z.strictObject({ kind: z.literal('environment'), name: z.string() }),
      z.strictObject({ kind: z.literal('volume'), name: z.string(), path: z.string() }),
      z.strictObject({ kind: z.literal('file'), path: z.string() }),
      z.strictObject({ kind: z.literal('keychain'), service: z.string(), account: z.string() }),
    ])
    .nullable(),
  account: z.string().nullable(),
  expiresAt: z.string().nullable(),
  state: z
    .enum(['good', 'renewable', 'soon', 'ended', 'unusable'])
    .describe('renewable: its access token expires and is renewed · soon: it expires soon · ended: it has expired.'),
  inCell: z.string().nullable().describe('How the credential is passed to a cell; null if it is not.'),
  problem: z.string().nullable(),
  hint: z.string().nullable(),
  warnings: z.array(z.string()),
})
const credentials = z.array(credentialSchema)

export const credentialResults = {
  'credentials list': z.strictObject({ schemaVersion, credentials }),
  'credentials check': z.strictObject({
    schemaVersion,
    ok: z.boolean(),
    credentials,
    renewals: z
      .array(z.strictObject({ login: z.string(), problem: z.string().nullable(), hint: z.string().nullable() }))
      .describe('Only with --online.'),
  }),
  login: z.strictObject({
    schemaVersion,
    agent: z.string(),
    volume: z.string(),
    outcome: z.enum(['taken', 'unchanged', 'none', 'cancelled']),
    ending: z.string().describe("How the login's cell ended."),
    logins: z.array(
      z.strictObject({
        login: z.string(),
        kind: z.enum(['subscription', 'key']),
        account: z.string().nullable(),
        expiresAt: z.string().nullable(),
        renewable: z.boolean(),
      }),
    ),
  }),
}
