import type { Readable } from 'node:stream'
import { PaddockError } from '../../base/errors.ts'
import { FixableError } from '../../base/fixable-error.ts'

/** Reads the output of the programs that build a cell. `built` resolves at the launcher's ACK, `text` at the end with all other output. */
export function readSetup(stream: Readable): { readonly built: Promise<void>; readonly text: Promise<string> } {
  const { promise: built, resolve } = Promise.withResolvers<void>()
  const text = new Promise<string>((done) => {
    let all = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      if (all.length < 8192) all += chunk
      if (chunk.includes('\u0006')) resolve()
    })
    stream.once('error', () => done(all))
    stream.once('close', () => done(all.replaceAll('\u0006', '')))
  })
  return { built, text }
}

/** Returns the error for a cell whose builders failed with this output. It names the cause if this machine's facts show one. */
export async function setupFailed(printed: string): Promise<PaddockError> {
  const [{ causeOf }, { readBuildFacts }] = await Promise.all([import('./causes/build-causes.ts'), import('./causes/build-facts.ts')])
  const text = printed
    .trim()
    .replace(/ See <.*$/s, '')
    .split('\n')
    .slice(0, 4)
    .join(' · ')
  const cause = causeOf(printed, readBuildFacts())
  if (cause === null)
    return new PaddockError('CELL_FAILED', `The cell could not be built: ${text || 'its builder exited without output'}`, {
      hint: 'Run: paddock doctor',
    })
  const { why, hint, remedies = [] } = cause
  return new FixableError('CELL_FAILED', `The cell could not be built: ${why} (${text.replace(/\.$/, '')}).`, { hint, remedies })
}
