import * as z from 'zod'

const methods = z.array(z.string())

/** A host that a credential may be sent to. */
export const credentialHostSchema = z.strictObject({
  host: z.string().describe('An exact name, or *.name for its subdomains.'),
  port: z.int(),
  tls: z.boolean().describe('False only for an endpoint of the user that speaks plain HTTP.'),
  paths: z.array(z.string()).describe('Patterns of the paths for which the credential is used, in the syntax of rules.'),
  methods: methods.exactOptional().describe('Upper-case methods. Absent: all methods.'),
  query: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('Parameters that must be present, once or several times, with exactly this value.'),
  except: z
    .array(z.strictObject({ methods: methods.describe('Empty: every method.'), path: z.string() }))
    .exactOptional()
    .describe('Requests for which the credential is never used. One possible reading of the request is enough.'),
  hidden: z
    .array(z.string())
    .exactOptional()
    .describe('Names of JSON members that the cell does not get, because they are credentials. Answers that are not JSON are cut off.'),
})

/** A place in a request for a credential. Placeholders are never swapped anywhere else, and never in a body. */
export const credentialPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('header'),
    name: z.string(),
    scheme: z.string().exactOptional().describe('The credential is the whole value of the header after this word, such as Bearer.'),
  }),
  z.strictObject({ kind: z.literal('basic'), part: z.enum(['user', 'password']) }),
  z.strictObject({ kind: z.literal('query'), name: z.string() }),
])
