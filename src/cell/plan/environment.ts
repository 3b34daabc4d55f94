import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { looksSecret } from '../../secrets/looks-secret.ts'
import { type CellGit, plainGit } from './cell-git.ts'
import { type CellTrust, withTrust } from './certificates.ts'
import type { FsEntry } from './filesystem.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { CellSpec } from './spec.ts'

/** Variables that are passed on from the host by default. All others must be named. */
const passing = new Set(['TERM', 'TERMINFO', 'TERMINFO_DIRS', 'COLORTERM', 'LANG', 'LANGUAGE', 'TZ', 'NO_COLOR', 'FORCE_COLOR'])
const localeName = /^LC_[A-Z]+$/

/**
 * Returns the environment of a cell. It contains only the allowlist and the variables that the spec names. PATH consists of the spec's own
 * entries, followed by those directories of the host's PATH that exist in the cell.
 */
export function planEnvironment(
  spec: Pick<CellSpec, 'env' | 'pathEntries' | 'name'>,
  machine: Pick<MachineFacts, 'env' | 'bundleVariables' | 'goStamps'>,
  identity: { readonly home: string; readonly user: string },
  filesystem: readonly FsEntry[],
  trust: CellTrust | null = null,
  git: Pick<CellGit, 'env' | 'overrides'> = plainGit,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(machine.env)) {
    if ((passing.has(name) || localeName.test(name)) && !looksSecret(name)) env[name] = value
  }
  env['HOME'] = identity.home
  env['USER'] = identity.user
  env['LOGNAME'] = identity.user
  env['SHELL'] = '/bin/sh'
  env['TMPDIR'] = '/tmp'
  // The cell has one user, so fakeroot(1) must not try a real change of owner first.
  env['FAKEROOTDONTTRYCHOWN'] = '1'
  env['PATH'] = searchPath(spec.pathEntries, machine.env['PATH'] ?? '', filesystem).join(':')
  Object.assign(env, git.env)
  for (const [name, value] of Object.entries(spec.env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new PaddockError('BAD_INPUT', `${spec.name}: "${name}" is not the name of an environment variable.`)
    }
    if (value.includes('\0')) throw new PaddockError('BAD_INPUT', `${spec.name}: the value of ${name} holds a NUL byte.`)
    env[name] = value
  }
  // Go takes the inert .git for a repository, and fails when git does not. A flag of the spec comes later and takes precedence.
  if (machine.goStamps === true && filesystem.some((each) => each.kind === 'inert' && path.basename(each.target) === '.git'))
    env['GOFLAGS'] = `-buildvcs=false ${env['GOFLAGS'] ?? ''}`.trim()
  return withGitSettings(withTrust(env, trust, machine), git.overrides)
}

/** Adds git settings after those that the variables already contain (git-config(1), GIT_CONFIG_COUNT). */
function withGitSettings(env: Readonly<Record<string, string>>, settings: CellGit['overrides']): Readonly<Record<string, string>> {
  const count = Number(env['GIT_CONFIG_COUNT'] || 0)
  // Git itself refuses such a count.
  if (settings.length === 0 || !Number.isInteger(count) || count < 0) return env
  const added = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${count + index}`, key],
    [`GIT_CONFIG_VALUE_${count + index}`, value],
  ])
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(count + settings.length) }
}

/** The directories at the end of PATH in every cell. */
export const standardPath: readonly string[] = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

function searchPath(own: readonly string[], host: string, filesystem: readonly FsEntry[]): string[] {
  const visible = filesystem.flatMap((each) =>
    each.kind === 'system' || each.kind === 'overlay' || each.kind === 'symlink'
      ? [each.path]
      : each.kind === 'toolchain' || (each.kind === 'bind' && each.access === 'ro')
        ? [each.target]
        : [],
  )
  const seen = (directory: string): boolean => visible.some((each) => directory === each || directory.startsWith(each + '/'))
  const fromHost = host.split(':').filter((each) => path.isAbsolute(each) && seen(path.normalize(each)))
  return [...new Set([...own, ...fromHost, ...standardPath])]
}
