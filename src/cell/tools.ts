import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../errors.ts'

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

const fixed = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

/** Looks for a system program: first where systems keep them, then in PATH. Null: not installed. */
export function findTool(name: string, searchPath: string): string | null {
  for (const directory of [...fixed, ...searchPath.split(':').filter((each) => path.isAbsolute(each))]) {
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
    hint: `apt-get install ${packages[name] ?? name}`,
  })
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
