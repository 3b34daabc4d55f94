import { settingsOf } from '../../config/layers.ts'
import { projectFileName } from '../../config/project-file-name.ts'
import { parseConfig } from '../../config/read.ts'
import { readProjectFile, trust, trustOf, trustStore, untrust } from '../../config/trust.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { projectAround } from '../../git/project.ts'
import { resolvePaths } from '../../paths.ts'
import { printable } from '../../text.ts'
import { noteEvent } from '../audit/note-event.ts'
import { printJson, say } from '../terminal/output.ts'
import { workingDirectory } from '../working-directory.ts'
import { knownNames } from './configured.ts'

/** `paddock trust`: agrees to what the project's file asks for, as it is now; with `show`, only says what that is. */
export async function trustCommand(options: { readonly show?: boolean; readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const file = await readProjectFile(project)
  if (file === null)
    throw new PaddockError('NOT_FOUND', `${project} has no ${projectFileName}, or an empty one, so there is nothing to trust.`, {
      hint: 'docs/guide/configuration.md shows what one may say.',
    })
  const settings = settingsOf(parseConfig(file.bytes, file.file, 'project', knownNames))
  const before = await trustOf(trustStore(paths), project, file.sha256)
  if (options.show !== true) {
    // First what is about to be done: killed in between, the log says too much rather than too little.
    noteEvent(paths, 'trust.given', { project, sha256: file.sha256, before })
    await trust(trustStore(paths), project, file.sha256)
  }
  const now = options.show === true ? before : 'trusted'
  if (options.json === true)
    printJson({ schemaVersion: 1, project, file: file.file, sha256: file.sha256, before, trust: now, asksFor: settings })
  else {
    process.stdout.write(`${printable(file.file)} asks for${settings.length === 0 ? ' nothing' : ''}\n`)
    for (const each of settings) process.stdout.write(`${printable(`  ${each.key} = ${each.value}`)}\n`)
    const words = { trusted: 'it is trusted', changed: 'it has changed since you trusted it', unknown: 'it is not trusted' }
    say(
      `${options.show === true ? words[now] : 'it is trusted as it is now; any change to it needs your trust again'} (sha256 ${file.sha256.slice(0, 16)}…)`,
    )
  }
  return exitCodes.done
}

/** `paddock untrust`: takes it back. */
export async function untrustCommand(options: { readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const was = await untrust(trustStore(paths), project)
  if (was) noteEvent(paths, 'trust.taken', { project })
  if (options.json === true) printJson({ schemaVersion: 1, project, was })
  else say(was ? `${project} is no longer trusted` : `${project} was not trusted`)
  return exitCodes.done
}
