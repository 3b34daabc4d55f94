import { randomBytes } from 'node:crypto'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import type { Paths } from '../base/paths.ts'
import { writeJson } from '../files/atomic.ts'
import { readRegular } from '../files/read-regular.ts'
import { safeNamePattern } from '../files/safe-name.ts'
import { parseStored } from '../files/stored-json.ts'

const word = z
  .string()
  .regex(/^[A-Za-z0-9_.:%-]+$/)
  .regex(/^[^-]/)

const remoteSchema = z.strictObject({
  name: z.string().regex(safeNamePattern),
  /** A host name, an address, or an alias of the user's SSH configuration. */
  host: word,
  /** Absent: what the user's SSH configuration says. */
  user: word.exactOptional(),
  port: z.int().min(1).max(65_535).exactOptional(),
  /** The program of Paddock there: a name, or an absolute path. Null: a copy of this Paddock, which is sent when it is missing. */
  program: z.string().nullable(),
})

/** Another machine on which cells can run. */
export type Remote = Readonly<z.output<typeof remoteSchema>>

const fileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** By this, a machine keeps the cells of several Paddocks apart. */
  home: z.string().regex(/^[0-9a-f]{16}$/),
  remotes: z.array(remoteSchema),
})

export interface Remotes {
  readonly home: string
  readonly remotes: readonly Remote[]
}

const largest = 1024 ** 2

const fileOf = ({ config }: Pick<Paths, 'config'>): string => path.join(config, 'remotes.json')

/** Returns the file with the host keys that the user has agreed to. OpenSSH reads it, and nothing but `paddock remote` writes it. */
export const knownHostsOf = ({ config }: Pick<Paths, 'config'>): string => path.join(config, 'known_hosts')

/** Returns the other machines, in the order of their names. @throws PaddockError FILES_FAILED if the file is not valid */
export async function readRemotes(paths: Pick<Paths, 'config'>): Promise<Remotes> {
  const file = fileOf(paths)
  const read = await readRegular(file, largest)
  if (!read.ok && read.why === 'missing') return { home: randomBytes(8).toString('hex'), remotes: [] }
  try {
    if (!read.ok) throw new Error(read.why)
    return parseStored(file, read.bytes, fileSchema)
  } catch (error) {
    if (error instanceof PaddockError) throw error
    throw new PaddockError('FILES_FAILED', `${file} is not a list of machines that this Paddock can read.`, {
      hint: 'Remove the file, and add the machines again with paddock remote add',
      cause: error,
    })
  }
}

export async function writeRemotes(paths: Pick<Paths, 'config'>, { home, remotes }: Remotes): Promise<void> {
  const sorted = remotes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  await writeJson(fileOf(paths), { schemaVersion: 1, home, remotes: sorted }, { mode: 0o600 })
}

/** Returns a machine by its name. @throws PaddockError NOT_FOUND */
export function remoteNamed({ remotes }: Remotes, name: string): Remote {
  const found = remotes.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = remotes.map((each) => each.name)
  const near = nearest(name, names)
  throw new PaddockError('NOT_FOUND', `There is no machine ${name}.`, {
    hint:
      near !== null
        ? `Did you mean ${near}?`
        : names.length > 0
          ? `Use one of: ${names.join(', ')}`
          : `Add it: paddock remote add ${name} [USER@]HOST[:PORT]`,
  })
}

/** Returns a machine from the text by which a user names it. @throws PaddockError BAD_INPUT */
export function parseRemote(name: string, text: string, program: string | null): Remote {
  const [, user, bracketed, plain, port] = /^(?:([^@]+)@)?(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  const parsed = remoteSchema.safeParse({
    name,
    host: bracketed ?? plain,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port: Number(port) }),
    program,
  })
  if (!parsed.success)
    throw new PaddockError('BAD_INPUT', `${name} ${text}: a machine needs a name and an address.`, {
      hint: 'paddock remote add NAME [USER@]HOST[:PORT], with lower-case letters, digits and hyphens in NAME',
    })
  return parsed.data
}
