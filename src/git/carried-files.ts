import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../files/read-regular.ts'
import { type EffectiveSetting, xdgDirectory } from './effective-settings.ts'
import { expandPath, type GitUser, realOf } from './git-settings.ts'

/** The contents of files that the user's git settings name. Empty if there is no file. */
export interface CarriedFiles {
  readonly ignore: string
  readonly attributes: string
  /** Null if the user has no template for commit messages. */
  readonly template: string | null
}

const mostBytes = 1024 ** 2

/** Returns the contents of the user's and the machine's files of ignore patterns, attributes and the commit template. */
export function carriedFiles(
  settings: readonly EffectiveSetting[],
  user: Pick<GitUser, 'home' | 'name'>,
  env: Readonly<Record<string, string | undefined>>,
): CarriedFiles {
  const named = (key: string, standard: string | null): string => {
    const value = settings.findLast((each) => each.key === key)?.value
    const file = value ? expandPath(value, user) : standard
    return file === null ? '' : (contentOf(file, user.home) ?? '')
  }
  const xdg = xdgDirectory(user, env)
  return {
    ignore: named('core.excludesfile', path.join(xdg, 'ignore')),
    attributes: ended(contentOf('/etc/gitattributes', user.home) ?? '') + named('core.attributesfile', path.join(xdg, 'attributes')),
    template: named('commit.template', null) || null,
  }
}

/**
 * Returns the content of a file; null if there is none. A link is followed only if it is in the user's home or its directory of
 * settings: an earlier cell may have put a link to a secret in place of a file elsewhere, and the content is for the next cell.
 */
export function contentOf(file: string, home: string): string | null {
  if (!path.isAbsolute(file)) return null
  const real = path.join(realOf(path.dirname(file)), path.basename(file))
  if (lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return readRegularSync(real, mostBytes)
  const trusted = ['.', '.config', '.config/git'].map((each) => path.join(realOf(home), each))
  if (!trusted.includes(path.dirname(real))) return null
  const target = path.resolve(path.dirname(real), readlinkSync(real))
  return readRegularSync(path.join(realOf(path.dirname(target)), path.basename(target)), mostBytes)
}

/** Returns text with a line break at its end. */
export function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
