import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { ConfigView } from '../plan/config-view.ts'

/** The view of a config, and its text at the start of the cell. */
export interface ConfigStart extends ConfigView {
  readonly text: string
}

const mostBytes = 1024 ** 2

/** Returns the views with the texts that a cell starts with. @throws PaddockError `UNENFORCEABLE` if a config cannot be read */
export function configStarts(views: readonly ConfigView[]): readonly ConfigStart[] {
  return views.map((each) => {
    const text = readRegularSync(path.join(each.directory, 'config'), mostBytes)
    if (text === null)
      throw new PaddockError('UNENFORCEABLE', `${each.config} cannot be read.`, {
        hint: 'Check its permissions, and that it is below 1 MiB',
      })
    return { ...each, text }
  })
}

/** Creates the views of configs for a cell. */
export function makeConfigViews(starts: readonly ConfigStart[]): void {
  for (const { directory, view, text } of starts) {
    const { mode, uid, gid } = statSync(directory)
    const isRoot = process.getuid?.() === 0
    inDirectory(view, (safe) => {
      mkdirSync(safe, { mode: mode & 0o777 })
      writeFileSync(path.join(safe, 'config'), text, { flag: 'wx', mode: 0o644 })
      if (isRoot) for (const each of [safe, path.join(safe, 'config')]) chownSync(each, uid, gid)
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
    const text = readRegularSync(path.join(start.view, 'config'), mostBytes)
    await removeTree(start.view).catch(() => undefined)
    if (text !== start.text) taken.push({ start, text })
  }
  return taken
}
