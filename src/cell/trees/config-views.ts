import { closeSync, constants, fchmodSync, fchownSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { withoutLogins } from '../../git/config-logins.ts'
import type { ConfigView } from '../plan/config-view.ts'

/** The view of a config, and the text that the cell starts with: the config's own without the logins in it. */
export interface ConfigStart extends ConfigView {
  readonly text: string
}

const mostBytes = 1024 ** 2

/** Returns the views with the texts that a cell starts with. @throws PaddockError `UNENFORCEABLE` if a config cannot be read */
export function configStarts(views: readonly ConfigView[]): readonly ConfigStart[] {
  return views.map((each) => {
    const text = readIn(path.join(each.directory, 'config'))
    if (text === null)
      throw new PaddockError('UNENFORCEABLE', `${each.config} cannot be read.`, {
        hint: `Check its permissions, that it is below 1 MiB, and that no ended git left ${each.config}.lock`,
      })
    return { ...each, text: withoutLogins(text) }
  })
}

/** Creates the views of configs for a cell, with the owner and the permissions of the directories around them. */
export function makeConfigViews(starts: readonly ConfigStart[]): void {
  for (const { view, text } of starts) {
    const { mode, uid, gid } = inDirectory(view, (safe) => {
      mkdirSync(safe, { mode: 0o700 })
      return statSync(`${path.dirname(safe)}/.`)
    })
    inDirectory(path.join(view, 'config'), (safe) => {
      const file = openSync(safe, 'wx', 0o644)
      const directory = openSync(`${path.dirname(safe)}/.`, constants.O_RDONLY)
      try {
        writeFileSync(file, text)
        if (process.getuid?.() === 0) for (const each of [directory, file]) fchownSync(each, uid, gid)
        fchmodSync(directory, mode & 0o777)
      } finally {
        for (const each of [directory, file]) closeSync(each)
      }
    })
  }
}

/**
 * Removes the views of an ended cell. Returns the configs that the cell changed, with the texts that it left; null if there is no readable
 * one. Never throws because of what a cell left there.
 */
export async function takeConfigViews(
  starts: readonly ConfigStart[],
): Promise<readonly { readonly start: ConfigStart; readonly text: string | null }[]> {
  const taken: { start: ConfigStart; text: string | null }[] = []
  for (const start of starts) {
    const text = readIn(path.join(start.view, 'config'))
    if (isThere(start.view)) await removeTree(start.view).catch(() => undefined)
    if (text !== start.text) taken.push({ start, text })
  }
  return taken
}

/** Returns the text of a file whose path contains no link; null if it cannot be read. */
function readIn(file: string): string | null {
  try {
    return inDirectory(file, (safe) => readRegularSync(safe, mostBytes))
  } catch {
    return null
  }
}

/** Returns false if the path of a directory contains a link. */
function isThere(directory: string): boolean {
  try {
    return inDirectory(path.join(directory, 'config'), () => true)
  } catch {
    return false
  }
}
