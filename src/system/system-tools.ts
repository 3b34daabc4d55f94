import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { isProgram, systemDirectories } from './system-program.ts'

/** Debian package that brings each system program, for hints. */
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

/** Looks for a system program: first where systems keep them, then in PATH. Null: not installed. */
export function findTool(name: string, searchPath: string): string | null {
  for (const directory of [...systemDirectories, ...searchPath.split(':').filter((each) => path.isAbsolute(each))]) {
    const file = path.join(directory, name)
    if (isProgram(file)) return file
  }
  return null
}

/** The same, or an `UNENFORCEABLE` error that says what it is for and how to install it. */
export function requireTool(name: string, searchPath: string, purpose: string): string {
  const file = findTool(name, searchPath)
  if (file !== null) return file
  throw new PaddockError('UNENFORCEABLE', `${name} is not installed; it is needed ${purpose}.`, {
    hint: `Run: apt-get install ${packages[name] ?? name}`,
  })
}
