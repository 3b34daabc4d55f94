import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** Returns a file of a sealed submission, read with tar(1). */
export function sealedFile(contest: string, participant: string, file: string, round = 1): string {
  const archive = path.join(contest, 'rounds', String(round), 'sealed', participant, 'out.tar')
  return execFileSync('tar', ['-xOf', archive, '--', file], { encoding: 'latin1', maxBuffer: 1 << 28 })
}

/** Returns the names in an archive, listed with tar(1). */
export function namesIn(archive: string): string[] {
  return execFileSync('tar', ['-tf', archive, '--quoting-style=literal'], { encoding: 'utf8' })
    .split('\n')
    .filter((each) => each !== '')
}
