import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { isProgram, systemDirectories } from './system-program.ts'

/** The Debian package of each system program, for hints. */
const packages: Readonly<Record<string, string>> = {
  bwrap: 'bubblewrap',
  ip: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  prlimit: 'util-linux',
  setsid: 'util-linux',
  mkfifo: 'coreutils',
  perl: 'perl-base',
  pasta: 'passt',
  nft: 'nftables',
  setpriv: 'util-linux',
}

/** Returns the path of a system program, searched first in the system's directories, then in PATH. Null if it is not installed. */
export function findTool(name: string, searchPath: string): string | null {
  for (const directory of [...systemDirectories, ...searchPath.split(':').filter((each) => path.isAbsolute(each))]) {
    const file = path.join(directory, name)
    if (isProgram(file)) return file
  }
  return null
}

/** Returns the path like `findTool`. Throws UNENFORCEABLE with the purpose of the program and the way to install it if it is missing. */
export function requireTool(name: string, searchPath: string, purpose: string): string {
  const file = findTool(name, searchPath)
  if (file !== null) return file
  throw new PaddockError('UNENFORCEABLE', `${name} is not installed; it is needed ${purpose}.`, {
    hint: `Run: apt-get install ${packages[name] ?? name}`,
  })
}
