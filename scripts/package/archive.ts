import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Gives files the modes of a package: all can read them, and run what its owner can run. The umask of the build does not count. */
export function setModes(directory: string): void {
  chmodSync(directory, 0o755)
  for (const each of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(directory, each)
    const found = lstatSync(file)
    if (!found.isSymbolicLink())
      chmodSync(file, found.isDirectory() || ((found.mode & 0o100) !== 0 && !file.endsWith('.node')) ? 0o755 : 0o644)
  }
}

/**
 * Writes FILE.tar.gz and, if there is an xz and not `fast`, FILE.tar.xz from a directory. Equal content gives equal bytes.
 * @param time seconds since 1970, for all entries
 */
export function archive(directory: string, file: string, { time, fast }: { readonly time: number; readonly fast: boolean }): void {
  const { dir, base } = path.parse(directory)
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const tar = `${file}.tar`
  execFileSync('tar', ['-C', dir, ...same, '-cf', tar, base])
  // Of one thread, because the bytes depend on the size of the threads' blocks.
  const compress = (program: string, args: readonly string[]): void => void execFileSync(program, [...args, '--keep', '--force', tar])
  compress('gzip', [fast ? '-1n' : '-9n'])
  if (has('xz') && !fast) compress('xz', ['-6', '-T1'])
  rmSync(tar)
}

export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
