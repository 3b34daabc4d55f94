import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** A file of a sealed submission, as tar(1) reads it. */
export function sealedFile(contest: string, participant: string, file: string, round = 1): string {
  const archive = path.join(contest, 'rounds', String(round), 'sealed', participant, 'out.tar')
  return execFileSync('tar', ['-xOf', archive, '--', file], { encoding: 'latin1', maxBuffer: 1 << 28 })
}

/** The names in an archive, as tar(1) lists them. */
export function namesIn(archive: string): string[] {
  return execFileSync('tar', ['-tf', archive, '--quoting-style=literal'], { encoding: 'utf8' })
    .split('\n')
    .filter((each) => each !== '')
}
