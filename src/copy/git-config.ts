import path from 'node:path'
import { worktreeRepository } from '../cell/git-facts.ts'
import { readRegularSync } from '../files/read-regular.ts'

/** One value of a configuration of git: section and name in small letters, the subsection as it is. */
export interface GitSetting {
  readonly section: string
  readonly subsection: string
  readonly name: string
  readonly value: string
}

const mostBytes = 1024 ** 2
const mostFiles = 50

/** The settings of a project's repository and of further files, with all that they include, whatever its condition (git-config(1)). */
export function gitSettings(project: string, more: readonly string[]): readonly GitSetting[] {
  const git = path.join(project, '.git')
  const places = [git, worktreeRepository(git)].filter((each) => each !== null)
  const queue = [...places.flatMap((each) => [path.join(each, 'config'), path.join(each, 'config.worktree')]), ...more]
  const found: GitSetting[] = []
  const seen = new Set<string>()
  for (let file = queue.shift(); file !== undefined && seen.size < mostFiles; file = queue.shift()) {
    if (seen.has(file)) continue
    seen.add(file)
    const own = parseGitConfig(readRegularSync(file, mostBytes) ?? '')
    found.push(...own)
    for (const { section, name, value } of own)
      if (/^include(if)?$/.test(section) && name === 'path' && value !== '') queue.push(path.resolve(path.dirname(file), value))
  }
  return found
}

/** Reads the syntax of git-config(1): comments, quotes, escapes, continued lines. What cannot be read is passed over. */
export function parseGitConfig(text: string): readonly GitSetting[] {
  const found: GitSetting[] = []
  let [section, subsection] = ['', '']
  for (const line of text.replace(/\r\n/g, '\n').replace(/\\\n/g, ' ').split('\n')) {
    const head = /^\s*\[\s*([A-Za-z0-9-]+)(?:\.([^\]"\s]*))?(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (head !== null) [section, subsection] = [(head[1] ?? '').toLowerCase(), head[3]?.replace(/\\(.)/g, '$1') ?? head[2] ?? '']
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=(.*)$/.exec(line.slice(head?.[0].length ?? 0))
    if (setting !== null) found.push({ section, subsection, name: (setting[1] ?? '').toLowerCase(), value: textOfValue(setting[2] ?? '') })
  }
  return found
}

function textOfValue(raw: string): string {
  let value = ''
  let quoted = false
  for (const [each] of raw.trim().matchAll(/\\.|./gsu)) {
    if (each === '"') quoted = !quoted
    else if ((each === '#' || each === ';') && !quoted) break
    else value += each.startsWith('\\') && each.length > 1 ? each.slice(1) : each
  }
  return quoted ? value : value.trimEnd()
}
