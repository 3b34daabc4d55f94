import path from 'node:path'
import * as z from 'zod'
import { postures } from '../base/posture.ts'
import { trifectaRules } from '../base/trifecta-rating.ts'
import { parseSecretRef } from '../credentials/secret-ref.ts'
import { readNoProxy } from '../egress/upstream/no-proxy.ts'
import { parseProxy } from '../egress/upstream/upstream-settings.ts'
import { parseEndpoint } from '../telemetry/otlp-settings.ts'
import { budgetSchema, priceSchema } from './budget.ts'
import { readBy } from './read-by.ts'
import {
  agentShape,
  askedHost,
  backendSchema,
  bytes,
  egressShape,
  endpointShape,
  givenShape,
  groupOfKeys,
  host,
  limitsSchema,
  milliseconds,
  rule,
} from './request/request-schema.ts'
import { sharedDeps } from './request/shared-deps.ts'
import { setupSchema } from './setup-schema.ts'

const place = z.string().regex(/^(\/|~\/)[^\0]*$/, { error: 'must be an absolute path, or one that starts with ~/' })
const masked = z
  .string()
  .regex(/^[^\0]+$/, { error: 'must be a path' })
  .refine((value) => value.startsWith('/') || value.startsWith('~/') || path.normalize(value).split('/')[0] !== '..', {
    error: 'must be a path in the project, an absolute one, or one that starts with ~/',
  })
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Limits of a project's file: it must not send a credential elsewhere, open internal addresses, or make more of the host writable. */
const unpinned = { error: 'cannot be pinned to an address here: that is yours to decide, not the project’s' }
const isUnpinned = (value: string): boolean => !value.includes('=')
const projectHost = host.refine(isUnpinned, unpinned)
const { block: _, ...projectEgress } = egressShape
const projectRun = {
  egress: z
    .strictObject(
      {
        ...projectEgress,
        policy: z.enum(['off', 'allowlist']).optional().describe('`off`: no network. `allowlist`: only the allowed hosts.'),
        allow: z.array(projectHost).optional().describe('Hosts that the cell may reach: HOST[:PORT], with `*.` in front for subdomains.'),
        ask: z
          .array(askedHost.refine(isUnpinned, unpinned))
          .optional()
          .describe('Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name.'),
        inspect: z.array(projectHost).optional().describe('Hosts that the cell may reach and whose requests are checked: HOST[:PORT].'),
        rules: z
          .array(
            rule
              .refine((value) => !/^\s*allow\s/.test(value), {
                error: 'cannot allow anything here: rules of a project may only deny or ask, so that they never undo yours',
              })
              .refine((value) => !/^\s*\S+\s+\S+\s+[^/\s]*=/.test(value), unpinned),
          )
          .optional()
          .describe('Rules for requests, deny or ask: ACTION METHODS HOST/PATH.'),
      },
      groupOfKeys,
    )
    .optional()
    .describe('What the cell may reach.'),
  mask: z
    .array(masked.refine((value) => !/^[/~]/.test(value), { error: 'must be a path in the project' }))
    .optional()
    .describe('Files and directories of the project that appear empty, if they exist.'),
  ro: z.array(place).optional().describe('Paths that the cell can read but not write; absolute, or starting with ~/.'),
  env: z
    .array(z.string().regex(variable, { error: 'must be the name of a variable; values do not belong into a project' }))
    .optional()
    .describe('Variables of your environment to pass on, if they are set.'),
  copy: z.boolean().optional().describe('Work on a copy of the project.'),
  copyIgnored: z.boolean().optional().describe('Also copy files that git ignores.'),
  strictNames: z
    .union([z.boolean(), z.array(z.string().min(1).max(100))])
    .optional()
    .describe(
      'Names that the cell cannot use at the root of the project, such as .vscode or .envrc; true: all that a tool of this machine could obey.',
    ),
  posture: z.enum(postures).optional().describe('The isolation level of cells (default: L2). The file of a project can only raise it.'),
  trifecta: z
    .enum(trifectaRules)
    .optional()
    .describe('Cells with private data, text of others and a way out: `warn` (default), `ask` or `forbid`. Projects only tighten it.'),
  webTools: z
    .boolean()
    .optional()
    .describe('False: agents get none of their own web tools, such as web search. The file of a project can only set it to false.'),
  limits: limitsSchema.optional().describe('Limits of the cell. If one that is set here cannot be enforced, the cell does not start.'),
}

const userRun = {
  ...projectRun,
  ...givenShape,
  egress: z.strictObject(egressShape, groupOfKeys).optional().describe('What the cell may reach.'),
  mask: z
    .array(masked)
    .optional()
    .describe('Files and directories that appear empty, if they exist: in the project, absolute, or starting with ~/.'),
  deps: z
    .enum(sharedDeps)
    .optional()
    .describe('Files shared by hard links: `own` copies them, `ro` makes installed packages read-only, `rw` leaves them shared.'),
  rw: z.array(place).optional().describe('Paths that the cell may write to; absolute, or starting with ~/.'),
  backend: backendSchema.optional().describe('The backend that builds cells (default: auto).'),
  login: z.boolean().optional().describe('Whether the agent gets its own login of this machine.'),
}

const worktreeSchema = z
  .strictObject({
    copy: z
      .array(
        z.string().refine((value) => value.split('/').every((each) => !['', '.', '..', '.git'].includes(each)), {
          error: 'must be the path of a file in the project',
        }),
      )
      .optional()
      .describe('Files of the project that git does not track and that a new work tree gets a copy of.'),
  })
  .optional()
  .describe('Work trees of `paddock run --worktree`.')

const upstreamSchema = z
  .strictObject({
    proxy: readBy('proxy', (value, where) => (value === 'none' ? null : parseProxy(value, where))).describe(
      'The http or https URL of the proxy, or `none`. Default: HTTPS_PROXY, ALL_PROXY or HTTP_PROXY.',
    ),
    noProxy: z
      .array(
        z.string().refine((value) => readNoProxy(value).unread.length === 0 && readNoProxy(value).rules.length === 1, {
          error: 'must be a host, an address or a range, such as corp.example, *.corp.example, 10.0.0.0/8, [2001:db8::1]:8080 or *',
        }),
      )
      .describe('Hosts that are reached directly, in the forms of NO_PROXY, which it replaces.'),
    auth: readBy('secret', parseSecretRef).describe('Where USER:PASSWORD for the proxy is: vault:NAME, env:NAME or azure-kv://…'),
    ca: z.array(place).describe('Files (PEM) that cells also trust. Default: NODE_EXTRA_CA_CERTS, SSL_CERT_FILE.'),
  })
  .partial()
  .describe('The way out of a company.')

const otlpSchema = z
  .strictObject({
    endpoint: readBy('collector', (value, where) => (value === 'none' ? null : parseEndpoint(value, where))).describe(
      'The base URL of a collector (OTLP/HTTP), or `none`. Default: OTEL_EXPORTER_OTLP_ENDPOINT.',
    ),
    headers: readBy('secret', parseSecretRef).describe(
      'Where NAME=VALUE for each request is: vault:NAME, env:NAME or azure-kv://… Default: OTEL_EXPORTER_OTLP_HEADERS.',
    ),
    content: z.boolean().describe('Whether arguments and results of tools are sent; false by default.'),
    timeout: milliseconds.describe('How long sending may take after the end of a cell; 2s by default.'),
  })
  .partial()
  .describe('A collector of OpenTelemetry.')

const version = z.literal(1, { error: 'must be 1' }).describe('The version of this format.')

/** The schema of config.yaml in the user's configuration directory. */
export const userSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(userRun).optional().describe('Defaults of `paddock run`.'),
  agents: z
    .record(z.string(), z.strictObject({ ...agentShape, ...endpointShape }))
    .optional()
    .describe('Settings for single agents, by name.'),
  egress: z.strictObject({ upstream: upstreamSchema }).partial().optional().describe('How this machine reaches other hosts.'),
  telemetry: z.strictObject({ otlp: otlpSchema }).partial().optional().describe('Where traces and metrics of agents are sent.'),
  host: z
    .strictObject({
      path: z
        .array(place)
        .describe(
          'Directories with programs that Paddock may run on your machine, such as those of a version manager; absolute, or starting with ~/.',
        ),
    })
    .partial()
    .optional()
    .describe('Programs that Paddock runs on your machine.'),
  worktree: worktreeSchema,
  setup: setupSchema(host),
  fleet: z
    .strictObject({
      projects: z.array(place).describe('Directories that agents of the fleet may use as their project, including subdirectories.'),
      contests: z.array(place).describe('Directories with contests that the API may run, including subdirectories.'),
      credentials: z
        .array(z.string().regex(/^[a-zA-Z.]+: \S/, { error: 'must be KEY: VALUE, as `paddock agent show` prints it' }))
        .describe(
          'What operators may give to agents without the approval of an owner, as `paddock agent show` prints it: `credentials: claude snapshot`, `secrets: NAME=vault:NAME@HOST`.',
        ),
      retention: z
        .strictObject({
          age: milliseconds.describe(
            'Jobs that ended longer ago are deleted with their transcripts. By default, no job is deleted because of its age.',
          ),
          size: bytes.describe('Limit for the transcripts and logs of ended jobs. The oldest are deleted first; 20GiB by default.'),
          events: z.int().min(1000).max(1_000_000_000).describe('How many of the newest events are kept; 1,000,000 by default.'),
        })
        .partial()
        .describe('How long data of jobs is kept. Homes, workspaces, and copies that wait for a review are never deleted.'),
      budgets: z
        .strictObject({ day: budgetSchema, month: budgetSchema })
        .partial()
        .describe('What all agents together may use in a day and in a month (UTC); unlimited by default.'),
      prices: z
        .record(z.string(), priceSchema)
        .describe('Prices of models whose agents report no cost, by the name of the model. `*` is any other model.'),
      discord: z
        .strictObject({
          api: z.string().max(200).describe("The URL of Discord's REST API; https, or http on this machine. Discord itself by default."),
        })
        .partial()
        .describe('How the server reaches Discord. `paddock discord connect` connects a bot.'),
    })
    .partial()
    .optional()
    .describe('What `paddock serve` may use on this machine; nothing by default.'),
})

/** The schema of .paddock.yaml at the root of a project. It has fewer keys, because the user only agrees to the file. */
export const projectSchema = z.strictObject({
  schemaVersion: version,
  run: z.strictObject(projectRun).optional().describe('Defaults of `paddock run` in this project.'),
  agents: z.record(z.string(), z.strictObject(agentShape)).optional().describe('Settings for single agents, by name.'),
  worktree: worktreeSchema,
  setup: setupSchema(projectHost),
})

/** The parsed form of either file, because a project's file is a user's file with fewer keys. */
export type Config = z.output<typeof userSchema>

/** Old keys with their replacements. */
export const renamedKeys: Readonly<Record<string, string>> = Object.fromEntries(
  ['allow', 'ask', 'block', 'presets', 'inspect', 'rules', 'ruleSets'].map((each) => [`run.${each}`, `run.egress.${each}`]),
)

/** Returns the JSON Schema (draft 2020-12) of the user's or of a project's file. */
export function configJsonSchema(which: 'user' | 'project'): unknown {
  return z.toJSONSchema(which === 'user' ? userSchema : projectSchema, { io: 'input' })
}
