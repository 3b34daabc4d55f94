import { lstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { joined } from '../../files/tree-names.ts'
import { walk } from '../../files/walk.ts'
import type { ClosedEntries } from './closed-entries.ts'

/** The kinds of entries in the letters of `tar --list --verbose`; a socket cannot be archived. */
type Kind = '-' | 'd' | 'l' | 'p' | 'c' | 'b' | 's'

interface Listed {
  readonly kind: Kind
  readonly ino: number
  readonly ctimeMs: number
}

/** The entries below a directory. Names are paths with one byte a character, which start with the name of the directory. */
export interface TreeList {
  readonly entries: ReadonlyMap<string, Listed>
  /** Entries that were made readable. */
  readonly closed: ClosedEntries
  /** Directories whose content could not be listed, with the reason. */
  readonly unlisted: readonly string[]
}

/**
 * Lists the tree `directory` below `root`, except for what `isLeftOut` names, and makes each entry readable before it is listed. Sockets
 * are not listed.
 */
export async function listTree(root: string, directory: string, isLeftOut: (names: readonly string[]) => boolean): Promise<TreeList> {
  const entries = new Map<string, Listed>()
  const closed: (readonly [string, number])[] = []
  const unlisted: string[] = []
  for await (const entry of walk(path.join(root, directory), { maxEntries: Number.MAX_SAFE_INTEGER, maxDepth: 200 })) {
    const names = [directory, ...entry.names.slice(0, 2).map((each) => each.toString('latin1'))]
    const name = `${directory}/${joined(entry.names).toString('latin1')}`
    if (entry.notEntered !== undefined) {
      unlisted.push(`${asText(name)} (${entry.notEntered})`)
      continue
    }
    if (entry.names.length === 2 && isLeftOut(names)) {
      entry.skip()
      continue
    }
    try {
      const mode = entry.letOwnerRead()
      if (mode !== null) closed.push([name, mode])
    } catch {
      // The comparison with the archive finds an entry that stays unreadable.
    }
    const facts = entry.lstat()
    if (facts !== null && !facts.isSocket()) entries.set(name, listed(facts))
  }
  return { entries, closed, unlisted }
}

/** Returns whether an entry is still the one in the list. An entry that was changed in the meantime need not be in the archive. */
export function isUnchanged(root: string, name: string, before: Listed): boolean {
  try {
    const now = listed(lstatSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])))
    return now.kind === before.kind && now.ino === before.ino && now.ctimeMs === before.ctimeMs
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}

/** Returns a name with one byte a character as text. */
export const asText = (name: string): string => Buffer.from(name, 'latin1').toString('utf8')

function listed(facts: Stats): Listed {
  const kind = facts.isFile()
    ? '-'
    : facts.isDirectory()
      ? 'd'
      : facts.isSymbolicLink()
        ? 'l'
        : facts.isFIFO()
          ? 'p'
          : facts.isCharacterDevice()
            ? 'c'
            : facts.isBlockDevice()
              ? 'b'
              : 's'
  return { kind, ino: facts.ino, ctimeMs: facts.ctimeMs }
}
