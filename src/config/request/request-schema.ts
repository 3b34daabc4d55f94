import * as z from 'zod'
import { backendNames } from '../../base/cell-place.ts'
import { postures } from '../../base/posture.ts'
import { durationPattern, durationRule, parseDuration, parseSize, sizePattern, sizeRule } from '../../base/quantities.ts'
import { credentialModes, namedVolume } from '../../credentials/credential-way.ts'
import { parseSecretWish } from '../../credentials/secret-wish.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseAllow, parseAsk } from '../../egress/policy/allow.ts'
import { parseBlock } from '../../egress/policy/block.ts'
import { egressModes } from '../../egress/policy/egress-policy.ts'
import { parseRule, parseRuleSet } from '../../egress/requests/rule-text.ts'
import { readBy } from '../read-by.ts'

/** Text without a NUL character, as required for arguments and file names. */
export const plainText = z.string().regex(/^[^\0]*$/, { error: 'must not hold a NUL character' })

const duration = z
  .string({ error: `must be ${durationRule}` })
  .meta({ title: 'duration', pattern: durationPattern })
  .refine((value) => parseDuration(value) !== null, { error: `must be ${durationRule}` })
const size = z
  .string({ error: `must be ${sizeRule}` })
  .meta({ title: 'size', pattern: sizePattern })
  .refine((value) => parseSize(value) !== null, { error: `must be ${sizeRule}` })

/** A duration, converted to milliseconds. */
export const milliseconds = duration.transform((value) => parseDuration(value) ?? 0)
/** A size, converted to bytes. */
export const bytes = size.transform((value) => parseSize(value) ?? 0)

/** The limits of a cell. */
export const limitsSchema = z
  .strictObject({
    timeout: duration.describe('Wall time after which the cell is stopped.'),
    silence: duration.describe('Longest time without output before the cell is stopped.'),
    memory: size.describe('Memory of the whole cell.'),
    pids: z.int().min(1).max(1_000_000).describe('Processes and threads of the whole cell.'),
    cpus: z.number().min(0.01).max(10_000).describe('Processors that the whole cell may use, for example 1.5.'),
    fileSize: size.describe('Largest single file.'),
    disk: size.describe('How much the directories that the cell may write to may grow.'),
  })
  .partial()

/** A host in the syntax of `--allow` and `--inspect`. */
export const host = readBy('host', (value, place) => parseAllow(value, { place }))
/** A host in the syntax of `--ask`. */
export const askedHost = readBy('host', parseAsk)
export const rule = readBy('rule', parseRule)

/** The keys for the hosts that a cell may reach. */
export const egressShape = {
  policy: z
    .enum(egressModes)
    .optional()
    .describe(
      '`allowlist` (default): only the hosts named here and those that the agent itself needs. `off`: no network. `public`: the internet without internal addresses. `open`: everything except loopback.',
    ),
  allow: z
    .array(host)
    .optional()
    .describe('Hosts that the cell may reach: HOST[:PORT], with `*.` in front for subdomains. HOST:PORT=ADDRESS:PORT pins the address.'),
  ask: z.array(askedHost).optional().describe('Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name.'),
  block: z.array(readBy('range', parseBlock)).optional().describe('With `public`: further addresses and ranges to reject.'),
  presets: z
    .array(z.string().min(1))
    .optional()
    .describe('Named groups of hosts: github, npm, pypi, apt, cargo, go, gem, maven, gradle, nuget, or an agent.'),
  inspect: z
    .array(host)
    .optional()
    .describe('Hosts that the cell may reach and whose requests are checked: HOST[:PORT], pinned as in allow.'),
  rules: z.array(rule).optional().describe('Rules for requests: ACTION METHODS HOST/PATH.'),
  ruleSets: z
    .array(readBy('set of rules', parseRuleSet))
    .optional()
    .describe('Predefined rules: git-push, publish, release, delete. Append `=ask` to ask instead of denying.'),
}
/** A message about the form of the policy, for a policy given in place of the group. */
export const groupOfKeys = {
  error: ({ code }: { readonly code: string | undefined }) =>
    code === 'invalid_type' ? 'must be a group of keys, such as { policy: off }' : undefined,
}
/** An isolation level. */
export const postureSchema = z.enum(postures, { error: `must be one of ${postures.join(', ')}` })
/** The name of a backend. */
export const backendSchema = z.enum(backendNames, { error: `must be one of ${backendNames.join(', ')}` })

const egressSchema = z.strictObject(egressShape, groupOfKeys)

/** The keys for the model that an agent uses, and its arguments. */
export const agentShape = {
  model: plainText.min(1).optional().describe('The model, as the agent names it.'),
  args: z.array(plainText).optional().describe("Further arguments for the agent's program."),
}

const wayRule = { error: `must be one of ${credentialModes.join(', ')}, or volume:NAME` }
/** The keys for the agent's model endpoint, and for the way its credential reaches the agent. */
export const endpointShape = {
  baseUrl: z.url({ error: 'must be a URL' }).optional().describe("A model endpoint to use instead of the vendor's."),
  credentials: z
    .union([z.enum(credentialModes), z.string().regex(namedVolume, wayRule)], wayRule)
    .optional()
    .describe(
      'How the cell gets its credential: placeholder (default), endpoint, snapshot (a read-only copy), volume or volume:NAME (the login in a volume of `paddock login`, for one cell at a time), none.',
    ),
}

/** The keys for what a user gives to a cell. */
export const givenShape = {
  env: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*(=[^\0]*)?$/, { error: 'must be NAME (passed on from your environment) or NAME=VALUE' }),
    )
    .optional()
    .describe('NAME passes on a variable of your environment, NAME=VALUE sets one.'),
  secrets: z
    .array(readBy('secret', parseSecretWish))
    .optional()
    .describe(
      'Secrets that the cell gets placeholders for: NAME=vault:NAME, NAME=env:NAME or NAME=azure-kv://…, followed by @HOST if its hosts are not known otherwise.',
    ),
  repos: z
    .array(readBy('repository', parseRepository))
    .optional()
    .describe('Repositories that git uses with your own token: HOST/OWNER/NAME. Append `=write` to allow pushing too.'),
}

/** The keys of every request, as text. Participants and judges of contests have them directly, other files in groups. */
export const requestShape = {
  ...agentShape,
  ...endpointShape,
  ...givenShape,
  limits: limitsSchema.optional().describe('Limits of the cell. If one that is set here cannot be enforced, the cell does not start.'),
  egress: egressSchema.optional().describe('What the cell may reach.'),
  posture: postureSchema.optional().describe('The isolation level of the cell.'),
  webTools: z.boolean().optional().describe('False: the agent gets none of its own web tools, such as web search.'),
  backend: backendSchema.optional().describe('The backend that builds the cell.'),
}

export type LimitsInput = z.output<typeof limitsSchema>
export type EgressInput = { readonly policy?: string | undefined } & Omit<z.output<typeof egressSchema>, 'policy'>

/** The input of a request, as text. */
export interface RequestInput extends Omit<z.output<z.ZodObject<typeof requestShape>>, 'egress' | 'credentials' | 'limits'> {
  readonly credentials?: string | undefined
  readonly login?: boolean | undefined
  readonly egress?: EgressInput | undefined
  readonly limits?: { readonly [K in keyof LimitsInput]?: LimitsInput[K] | string | undefined } | undefined
  readonly ro?: readonly string[] | undefined
  readonly rw?: readonly string[] | undefined
  readonly mask?: readonly string[] | undefined
}
