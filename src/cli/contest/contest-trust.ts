import { trust, trustOf, trustStore } from '../../config/trust.ts'
import { type Ask, asksHash, asksOf } from '../../contest/config/asks.ts'
import { readContest } from '../../contest/config/brief.ts'
import { exitCodes } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { printable } from '../../text.ts'
import { noteEvent } from '../audit/note-event.ts'
import { printJson, say } from '../terminal/output.ts'

/** `paddock contest trust`: agrees to what contest.yaml asks for of the user's; with `show`, only prints what that is. */
export async function contestTrust(directory: string, options: { readonly show?: boolean; readonly json?: boolean }): Promise<number> {
  const { config, layout } = await readContest(directory)
  return await trustAsks(layout.config, asksOf(config), options)
}

/** Agrees to what a contest.yaml or suite.yaml asks for; with `show`, only prints it. */
export async function trustAsks(
  file: string,
  asks: readonly Ask[],
  options: { readonly show?: boolean; readonly json?: boolean },
): Promise<number> {
  const paths = resolvePaths(process.env)
  const sha256 = asksHash(asks)
  const before = await trustOf(trustStore(paths), file, sha256)
  if (options.show !== true) {
    // First what is about to be done: killed in between, the log says too much rather than too little.
    noteEvent(paths, 'trust.given', { project: file, sha256, before })
    await trust(trustStore(paths), file, sha256)
  }
  const now = options.show === true ? before : 'trusted'
  if (options.json === true) printJson({ schemaVersion: 1, file, sha256, before, trust: now, asksFor: asks })
  else {
    process.stdout.write(`${printable(file)} asks for ${asks.length === 0 ? 'nothing of yours' : 'what is yours'}\n`)
    for (const { key, value } of asks) process.stdout.write(`${printable(`  ${key} = ${value}`)}\n`)
    const words = { trusted: 'it is trusted', changed: 'what it asks for has changed since you trusted it', unknown: 'it is not trusted' }
    if (options.show === true) say(words[before])
    else say('it is trusted; if it asks for something else, it needs your trust again')
  }
  return exitCodes.done
}
