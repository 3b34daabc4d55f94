import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/** A package of the npm registry, and the SHA-512 of its archive as lock files write it. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

/**
 * Returns the path of a package's archive, also of one for another processor. Archives are kept in the user's cache directory.
 * @throws Error if the registry's archive is not the one with this hash
 */
export function fetchPackage({ name, version, integrity }: LockedPackage): string {
  const cache = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'paddock-packages')
  const archive = path.join(cache, `${name.replace('/', '+')}-${version}.tgz`)
  if (existsSync(archive) && hashOf(archive) === integrity) return archive
  mkdirSync(cache, { recursive: true })
  const fetched = mkdtempSync(path.join(cache, 'fetch-'))
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', fetched, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [file = ''] = readdirSync(fetched)
    const hash = hashOf(path.join(fetched, file))
    if (hash !== integrity) throw new Error(`The archive of ${name} ${version} has the hash ${hash}, not ${integrity}.`)
    renameSync(path.join(fetched, file), archive)
    return archive
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
}

function hashOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}
