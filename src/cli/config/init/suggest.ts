import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { vendorAdapters } from '../../../adapters/find-adapter.ts'
import { presetNames } from '../../../egress/policy/presets.ts'
import type { Host } from '../../../host.ts'
import { hostProgram } from '../../../system/host-program.ts'

/** Something that the user can choose, and why it may be wanted. */
export interface Suggestion {
  readonly name: string
  readonly why: string
  /** True if it is chosen unless the user says otherwise. */
  readonly isUsual: boolean
}

/** Returns the agents; those that are installed come first. */
export async function suggestAgents(host: Pick<Host, 'installation'>): Promise<readonly (Suggestion & { readonly hint: string | null })[]> {
  const all = vendorAdapters.map(async (each) => {
    const found = await host.installation(each)
    const why = found === null ? 'not installed' : `installed${found.version === null ? '' : `, ${found.version}`}`
    return { name: each.name, why, isUsual: found !== null, hint: found === null ? each.installHint : null }
  })
  return first(await Promise.all(all), (each) => each.isUsual)
}

/** Files at the root of a project, and programs, that show which registry is used. */
const signs: Readonly<Record<string, { readonly files: readonly string[]; readonly programs: readonly string[] }>> = {
  npm: {
    files: ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'],
    programs: ['npm', 'pnpm', 'yarn'],
  },
  pypi: {
    files: ['pyproject.toml', 'requirements.txt', 'uv.lock', 'poetry.lock', 'Pipfile', 'setup.py', 'setup.cfg'],
    programs: ['pip', 'pip3', 'uv', 'poetry'],
  },
  github: { files: [], programs: ['gh'] },
  apt: { files: [], programs: ['apt-get'] },
  cargo: { files: ['Cargo.toml'], programs: ['cargo'] },
  go: { files: ['go.mod'], programs: ['go'] },
  gem: { files: ['Gemfile', 'gems.rb'], programs: ['gem', 'bundle'] },
  maven: { files: ['pom.xml', 'mvnw'], programs: ['mvn'] },
  gradle: { files: [], programs: ['gradle'] },
  nuget: { files: [], programs: ['dotnet'] },
}

/** Returns the presets: first those that this directory needs, then those whose tools are installed. */
export function suggestPresets(directory: string, env: NodeJS.ProcessEnv): readonly Suggestion[] {
  const all = presetNames.map((name) => {
    const { files, programs } = signs[name] ?? { files: [], programs: [] }
    const file = files.find((each) => isFile(path.join(directory, each))) ?? (name === 'github' ? githubRemote(directory) : undefined)
    if (file !== undefined) return { name, why: `${file} is here`, isUsual: true, rank: 0 }
    const program = programs.find((each) => hostProgram(each, env['PATH'] ?? '') !== null)
    return program === undefined
      ? { name, why: 'nothing here uses it', isUsual: false, rank: 2 }
      : { name, why: `${program} is installed`, isUsual: false, rank: 1 }
  })
  return all.toSorted((a, b) => a.rank - b.rank)
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
}

/** Returns a text for a repository with a remote at GitHub. */
function githubRemote(directory: string): string | undefined {
  try {
    const file = path.join(directory, '.git/config')
    const config = isFile(file) ? readFileSync(file, 'utf8') : ''
    return /^\s*url\s*=\s*\S*[@/]github\.com[:/]/m.test(config) ? 'a remote at github.com' : undefined
  } catch {
    return undefined
  }
}

function first<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly T[] {
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))]
}
