import { realpathSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import { spawn } from '../../system/start-program.ts'
import type { KeptMount, MountEvents } from '../backend.ts'
import { contains, type FsEntry, targetOf } from '../plan/filesystem.ts'
import type { Sources } from './staging.ts'

/** Milliseconds from the first end of a cell's processes to the end of the cell. */
const endingMs = 2000

const program = fileURLToPath(new URL('./mounts.pl', import.meta.url))

/** Where bwrap shows the sources of late mounts until they are made. */
const viewsDirectory = '/.paddock-mounts'

/** The mounts of a plan that are made after bwrap, because each takes it a long time. */
export interface LateMounts {
  readonly entries: ReadonlySet<FsEntry>
  /** What bwrap shows meanwhile, read-only. */
  readonly views: readonly { readonly source: string; readonly target: string }[]
  /** Parents first. `source`: the path in the cell, in a view. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[]
}

export const noLateMounts: LateMounts = { entries: new Set(), views: [], mounts: [] }

/**
 * Returns the system's settings in /etc, except those that something else is mounted in or that are behind a link, and the cell's own
 * files in places that no cell writes to, except where you mount something else. None on kernels without mount_setattr(2) (Linux 5.12).
 */
export function lateMounts(filesystem: readonly FsEntry[], sources: Sources): LateMounts {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  if (major < 5 || (major === 5 && minor < 12)) return noLateMounts
  // An overlay of /etc shows the system's settings, and has the mount points for the cell's files.
  if (filesystem.some((each) => each.kind === 'overlay')) return noLateMounts
  const others = filesystem.flatMap((each) => (each.kind === 'system' || each.kind === 'file' ? [] : [targetOf(each)]))
  const [settings, files] = [`${viewsDirectory}/etc`, `${viewsDirectory}/files`]
  const isLate = (entry: FsEntry, target: string): boolean => {
    if (entry.kind === 'file') return !others.includes(target) && ['/etc', '/proc', '/run', '/usr'].some((each) => contains(each, target))
    if (entry.kind !== 'system' || !contains('/etc', target)) return false
    return !others.some((each) => contains(target, each)) && realpathSync.native(target) === target
  }
  const late = filesystem.filter((each) => isLate(each, targetOf(each)))
  if (late.length === 0) return noLateMounts
  const ofCell = filesystem.filter((each) => each.kind === 'file')
  return {
    entries: new Set(late),
    views: [
      { source: '/etc', target: settings },
      { source: path.dirname(sources.file(0)), target: files },
    ],
    mounts: late.map((each) => {
      const target = targetOf(each)
      return { source: each.kind === 'file' ? `${files}/${ofCell.indexOf(each)}` : settings + target.slice('/etc'.length), target }
    }),
  }
}

/** The program that makes mounts in a cell and renews them (`mounts.pl`). */
export interface Mounter {
  /**
   * Makes these mounts in a cell that is built, and makes these links mount points where that is possible.
   * @throws PaddockError `CELL_FAILED` that names what could not be mounted
   */
  readonly make: (init: number, late: LateMounts, links: readonly string[]) => Promise<void>
  /**
   * Renews these mounts whenever a program of the host removes or replaces their paths. `lost` is called with the first path if the renewal
   * itself fails. Returns a function that ends it.
   */
  readonly keep: (mounts: readonly KeptMount[], events: MountEvents) => () => void
  readonly end: () => void
}

/** Starts the program. It waits for `make`, so that a cell does not wait for the start of Perl. */
export function startMounter(perl: string): Mounter {
  // In a new session, because signals of the user's terminal must not end it before the cell.
  const child = spawn(perl, ['-t', program], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} })
  child.unref()
  let text = ''
  let listen: ((part: string | null) => void) | null = null
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\0')
    text = parts.pop() ?? ''
    for (const each of parts) listen?.(each)
  })
  child.stdin.on('error', () => undefined)
  let hasEnded = false
  const ended = (): void => {
    hasEnded = true
    listen?.(null)
  }
  child.once('error', ended)
  child.once('close', ended)
  const send = (parts: readonly string[]): boolean => child.stdin.write(`${parts.map((each) => `${each}\0`).join('')}\0`)
  const end = (): void => {
    listen = null
    child.stdin.end()
  }
  return {
    make: async (init, { mounts, views }, links) => {
      const answer = new Promise<string | null>((resolve) => {
        listen = resolve
        if (hasEnded) resolve(null)
      })
      send([
        String(init),
        ...mounts.flatMap(({ source, target }) => ['put', source, target]),
        ...views.flatMap(({ target }) => ['drop', target]),
        ...(views.length === 0 ? [] : ['drop', viewsDirectory]),
        ...links.flatMap((each) => ['link', each]),
        ...(views.length === 0 ? [] : ['seal', '/']),
      ])
      const failure = await answer
      if (failure !== '')
        throw new PaddockError('CELL_FAILED', `The cell could not be built: ${failure ?? 'Perl ended without an answer'}.`, {
          hint: 'Run: paddock doctor',
        })
    },
    keep: (mounts, { renewed, lost }) => {
      listen = (part) => {
        const [, what, file = ''] = /^(renewed|lost) (.*)$/s.exec(part ?? '') ?? []
        if (what === 'renewed') renewed(file)
        else if (what === 'lost') lost(file)
        // It also ends, with various errors, if the cell is ending at this moment. Then the caller ends the watch soon.
        else if (part === null)
          setTimeout(() => {
            if (listen !== null) lost(mounts[0]?.target ?? '')
          }, endingMs).unref()
      }
      if (hasEnded) listen(null)
      send(mounts.map((each) => `${each.access} ${each.target}`))
      return end
    },
    end,
  }
}
