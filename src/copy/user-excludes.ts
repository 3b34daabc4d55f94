import { existsSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../files/read-regular.ts'

/** The user's own configuration of git: where hooks and what is ignored everywhere may be named (git-config(1), FILES). */
export function userGitConfigs(home: string): readonly string[] {
  return ['.config/git/config', '.gitconfig'].map((each) => path.join(home, each))
}

/** The file of what git ignores in all of the user's projects (gitignore(5), core.excludesFile); null: there is none. */
export function userExcludes(home: string): string | null {
  let named = path.join(home, '.config/git/ignore')
  for (const config of userGitConfigs(home)) {
    let section = ''
    for (const line of (readRegularSync(config, 1024 ** 2) ?? '').split('\n')) {
      section = /^\s*\[\s*([^\]\s]+)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? section
      const value = /^\s*excludesfile\s*=\s*(.*?)\s*$/i.exec(line)?.[1]?.replace(/^"(.*)"$/, '$1')
      if (section === 'core' && value !== undefined && value !== '') named = value.replace(/^~(?=\/)/, home)
    }
  }
  return path.isAbsolute(named) && existsSync(named) ? named : null
}
