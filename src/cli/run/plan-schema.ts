import * as z from 'zod'
import { limitName } from './report-schema.ts'

const rule = z.enum(['allow', 'deny', 'ask'])
const query = z.record(z.string(), z.string()).optional()

const entrySchema = z.strictObject({
  host: z.string(),
  ports: z.array(z.int()),
  internal: z.boolean(),
  pin: z.strictObject({ address: z.string(), port: z.int().optional() }).optional(),
  endpoint: z.strictObject({ host: z.string(), port: z.int() }).optional(),
  ask: z.boolean().optional(),
  inspect: z
    .strictObject({
      rules: z.array(z.strictObject({ action: rule, methods: z.array(z.string()), path: z.string(), query, source: z.string() })),
      otherwise: rule,
    })
    .optional(),
  source: z.string(),
})
const entries = z.array(entrySchema)

const fileKind = z.enum(['file', 'directory'])
const fileSystemSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system'), path: z.string() }),
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
  }),
  z.strictObject({ kind: z.literal('copy'), source: z.string(), target: z.string() }),
  z.strictObject({
    kind: z.literal('file'),
    target: z.string(),
    content: z.string(),
    encoding: z.literal('base64').optional(),
    isExecutable: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.literal('link'), source: z.string().optional(), target: z.string() }),
  z.strictObject({ kind: z.literal('mask'), source: z.string(), target: z.string(), type: fileKind }),
  z.strictObject({
    kind: z.literal('ghost'),
    source: z.string().optional(),
    target: z.string(),
    type: fileKind,
    inert: z.string(),
  }),
])

const credentialSchema = z.strictObject({
  name: z.string(),
  hosts: z.array(
    z.strictObject({
      host: z.string(),
      port: z.int(),
      tls: z.boolean(),
      paths: z.array(z.string()),
      methods: z.array(z.string()).optional(),
      query,
    }),
  ),
  places: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('header'), name: z.string(), scheme: z.string().optional() }),
      z.strictObject({ kind: z.literal('basic'), part: z.enum(['user', 'password']) }),
      z.strictObject({ kind: z.literal('query'), name: z.string() }),
    ]),
  ),
})

/** The output of `paddock run --dry-run`: every decision about a cell. It contains no secret and no placeholder. */
export const planSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    name: z.string(),
    command: z.array(z.string()),
    cwd: z.string(),
    identity: z.strictObject({ user: z.string(), uid: z.int(), gid: z.int(), home: z.string(), hostname: z.string() }),
    env: z.record(z.string(), z.string()),
    filesystem: z.array(fileSystemSchema).describe('In mount order: a later entry covers an earlier one.'),
    prepare: z.array(z.strictObject({ from: z.string(), to: z.string(), overwrite: z.boolean() })),
    egress: z.discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('off') }),
      z.strictObject({ mode: z.literal('allowlist'), entries }),
      z.strictObject({ mode: z.literal('public'), entries, blocked: z.array(z.string()) }),
      z.strictObject({ mode: z.literal('open'), entries }),
    ]),
    credentials: z.array(credentialSchema),
    limits: z.record(limitName, z.strictObject({ value: z.number().nullable(), asked: z.boolean() })),
    publish: z.array(z.int()),
    terminal: z.boolean(),
    trees: z.array(z.string()),
    degraded: z.array(z.string()),
    notInPath: z.array(z.string()).describe('Directories of the PATH of this machine that the cell does not have.'),
    notices: z.array(z.string()),
    posture: z.string(),
    backend: z.string(),
  })
  .meta({ id: 'CellPlan' })
