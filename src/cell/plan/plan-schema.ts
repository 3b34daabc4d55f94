import * as z from 'zod'
import type { Frozen } from '../../base/frozen.ts'
import { postures } from '../../base/posture.ts'
import { trifectaSchema } from '../../base/trifecta-schema.ts'
import { credentialHostSchema, credentialPlaceSchema } from '../../egress/placeholder/credential-schema.ts'
import { policySchema } from '../../egress/policy/egress-policy-schema.ts'
import { limitName } from '../report-schema.ts'

const fileKind = z.enum(['file', 'directory'])
const fileSystemSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system'), path: z.string() }),
  z
    .strictObject({
      kind: z.literal('overlay'),
      path: z.string(),
      access: z.enum(['ro', 'rw']),
      sizeBytes: z.number().exactOptional().describe('What can be written, in memory, if the access is rw.'),
      hidden: z.array(z.string()).describe('Paths of the host that do not exist in it.'),
    })
    .describe('A directory of the host in which sockets and FIFOs lead nowhere, and changes are lost.'),
  z.strictObject({ kind: z.literal('symlink'), path: z.string(), to: z.string() }),
  z.strictObject({ kind: z.literal('tmpfs'), path: z.string(), sizeBytes: z.number(), mode: z.int() }),
  z.strictObject({ kind: z.literal('proc'), path: z.literal('/proc') }),
  z.strictObject({ kind: z.literal('dev'), path: z.literal('/dev'), shmBytes: z.number() }),
  z.strictObject({
    kind: z.literal('bind'),
    source: z.string(),
    target: z.string(),
    access: z.enum(['ro', 'rw']),
    reason: z.enum(['project', 'home', 'user', 'agent', 'contest', 'setup', 'toolchain', 'packages', 'run-later', 'guard']),
    within: z.string().exactOptional().describe('The tree in which the source must be when it is mounted.'),
  }),
  z
    .strictObject({
      kind: z.literal('toolchain'),
      source: z.string(),
      target: z.string(),
      sizeBytes: z.number().exactOptional().describe('What can be written, in memory, if there is no layer.'),
      layer: z
        .strictObject({ directory: z.string(), own: z.string(), wider: z.array(z.string()) })
        .exactOptional()
        .describe('Directories below this one with what cells changed: those with the same rights, and those with more.'),
    })
    .describe('A directory of the host in which the cell installs in a layer of its own. A backend without layers shows it read-only.'),
  // Removed at the end of the cell. Empty if the source does not exist. A backend that cannot make one shows the directory read-only.
  z
    .strictObject({ kind: z.literal('copy'), source: z.string(), target: z.string() })
    .describe('A private copy of a directory, which the cell may change.'),
  z.strictObject({
    kind: z.literal('file'),
    target: z.string(),
    content: z.string(),
    encoding: z.literal('base64').exactOptional(),
    isExecutable: z.literal(true).exactOptional(),
    mountPoint: z
      .strictObject({ path: z.string(), exists: z.boolean(), isInDirectory: z.boolean().describe('True if its directory exists.') })
      .exactOptional()
      .describe('The path on the host that the file covers. If it does not exist, an inert file with the same content is made there.'),
  }),
  z.strictObject({ kind: z.literal('link'), source: z.string().exactOptional(), target: z.string() }),
  z.strictObject({ kind: z.literal('mask'), source: z.string(), target: z.string(), type: fileKind }),
  z.strictObject({
    kind: z.literal('inert'),
    source: z.string().exactOptional(),
    target: z.string(),
    type: fileKind,
    content: z.string(),
  }),
])

/** Every decision about one cell, as JSON, without secrets and placeholders. Its form is the same for all backends. The audit log records its hash. */
export const cellPlanSchema = z.strictObject({
  schemaVersion: z.literal(1),
  name: z.string(),
  posture: z.enum(postures).describe('The isolation level of the cell.'),
  backend: z.string().describe('The name of the backend that builds the cell.'),
  command: z.array(z.string()),
  cwd: z.string(),
  identity: z.strictObject({ user: z.string(), uid: z.int(), gid: z.int(), home: z.string(), hostname: z.string() }),
  env: z.record(z.string(), z.string()),
  filesystem: z.array(fileSystemSchema).describe('In mount order: a later entry covers an earlier one.'),
  prepare: z
    .array(z.strictObject({ from: z.string(), to: z.string(), overwrite: z.boolean() }))
    .describe('Files to copy inside the cell before the command starts.'),
  egress: policySchema,
  wayOut: z
    .strictObject({
      proxy: z
        .strictObject({
          url: z.string(),
          from: z.string(),
          except: z.string().describe('The exceptions, in the form of NO_PROXY.'),
          exceptFrom: z.string(),
        })
        .exactOptional(),
      certificates: z
        .array(z.strictObject({ file: z.string(), from: z.string(), count: z.int() }))
        .exactOptional()
        .describe('Files with certificates that the cell trusts in addition to those of the system.'),
    })
    .exactOptional()
    .describe(
      'The way from this machine to other hosts, with the key of the configuration or the variable that sets each part. Absent: direct.',
    ),
  credentials: z
    .array(z.strictObject({ name: z.string(), hosts: z.array(credentialHostSchema), places: z.array(credentialPlaceSchema) }))
    .describe('The credentials that the gateway puts into requests, with their hosts and places.'),
  limits: z.record(limitName, z.strictObject({ value: z.number().nullable(), asked: z.boolean() })),
  publish: z.array(z.int()),
  terminal: z.boolean(),
  trees: z.array(z.string()).describe('The project and other trees that the cell may write to. Their files that run later are protected.'),
  untrusted: z.array(z.string()).describe('Where the agent reads text that others wrote.'),
  degraded: z.array(z.string()),
  notInPath: z.array(z.string()).describe('Directories of the PATH of this machine that the cell does not have.'),
  notices: z.array(z.string()).describe('Sentences for the user about what differs in this cell.'),
})

export type CellPlan = Frozen<z.output<typeof cellPlanSchema>>

/** The output of `paddock run --dry-run`. */
export const planSchema = cellPlanSchema.extend({ trifecta: trifectaSchema }).meta({ id: 'CellPlan' })
