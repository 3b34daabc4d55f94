import type { Check } from '../../cell/backend-facts.ts'
import { hostProgram, refusedProgram } from '../../system/host-program.ts'

/** Programs that Paddock, or git for it, starts outside of cells. Those that build cells have checks of their own. */
const programs: Readonly<Record<string, string>> = {
  git: 'makes commits, work trees and signatures',
  'git-lfs': 'converts files of Git LFS in commits and work trees',
  gpg: 'signs your commits',
  'ssh-keygen': 'signs your commits with an SSH key',
  gh: 'gives its token from the keyring',
  [process.platform === 'darwin' ? 'security' : 'secret-tool']: 'keeps the key of the vault in the keyring',
  npm: 'tells where npm itself is, for the preset npm',
  mvn: 'tells where Maven itself is, for the preset maven',
  python3: 'tells where pip itself is, for the preset pypi',
}

/** Returns a `paddock doctor` check for each program that is in PATH and does not run there, with the reason and the key that permits it. */
export function programChecks(searchPath: string): readonly Check[] {
  return Object.entries(programs).flatMap(([name, purpose]) => {
    const refusal = hostProgram(name, searchPath) === null ? refusedProgram(name, searchPath) : null
    return refusal === null ? [] : [{ name, ok: false, detail: `${refusal.message}; it ${purpose}`, hint: refusal.hint }]
  })
}
