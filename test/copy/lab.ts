import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import { type CopyPlace, type CopyRecord, readManifest } from '../../src/copy/copy-record.ts'
import { marksOf } from '../../src/copy/reviewing/marks.ts'
import { scanCopy } from '../../src/copy/reviewing/scan.ts'
import { createCopy } from '../../src/copy/taking/create.ts'
import { ownUmask } from '../../src/files/umask.ts'
import { nobody } from '../../src/git/git-settings.ts'
import { temporary } from '../support/temporary.ts'

/** Creates a project and a directory for copies of it. */
export async function lab() {
  const root = await temporary()
  const at = (...names: string[]): string => path.join(realpathSync(root.path), ...names)
  mkdirSync(at('project'))
  const project = at('project')
  return {
    at,
    project,
    copies: at('copies'),
    copy: (options: { readonly ignored?: boolean; readonly onFile?: () => void } = {}) =>
      createCopy({
        project,
        ignored: options.ignored === true,
        copies: at('copies'),
        searchPath: '/usr/bin',
        excludes: null,
        refused: [],
        ...(options.onFile === undefined ? {} : { onFile: options.onFile }),
      }),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  }
}

export async function scanned(
  { place, record }: { readonly place: CopyPlace; readonly record: CopyRecord },
  onEntry: () => void = () => undefined,
) {
  const base = await readManifest(place)
  const marks = marksOf(record.project, nobody, rulesOfHost)
  return {
    base,
    scan: await scanCopy(place, record, base, {
      marks,
      searchPath: '/usr/bin',
      excludes: null,
      inertPaths: new Set(),
      umask: ownUmask(),
      onEntry,
    }),
  }
}

/** Returns every name in a directory with its kind, mode and content, except `.git`. */
export function snapshot(root: string): Record<string, string> {
  const all: Record<string, string> = {}
  const queue = readdirSync(root)
  for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
    if (each.split('/').includes('.git')) continue
    const file = path.join(root, each)
    const stat = lstatSync(file)
    if (stat.isSymbolicLink()) all[each] = `link ${readlinkSync(file)}`
    else if (stat.isFile()) all[each] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(file, 'utf8')}`
    else if (stat.isDirectory()) {
      all[each] = 'directory'
      for (const name of readdirSync(file)) queue.push(`${each}/${name}`)
    } else all[each] = 'special'
  }
  return all
}
