import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { knownNames } from '../../config/known-names.ts'
import { settingsOf } from '../../config/layers.ts'
import { projectFileName } from '../../config/project-file-name.ts'
import { parseConfig } from '../../config/read-config.ts'
import { readProjectFile, trust, trustOf, trustStore, untrust } from '../../config/trusted-projects.ts'
import { projectAround } from '../../git/project.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { workingDirectory } from '../working-directory.ts'

/** `paddock trust`: trusts the current content of the project's file. With `show`, only prints what the file asks for. */
export async function trustCommand(options: { readonly show?: boolean }): Promise<Answer<Result<'trust'>>> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const file = await readProjectFile(project)
  if (file === null)
    throw new PaddockError('NOT_FOUND', `${project} has no ${projectFileName}, or an empty one, so there is nothing to trust.`, {
      hint: 'See docs/guide/configuration.md for its keys',
    })
  const settings = settingsOf(parseConfig(file.bytes, file.file, 'project', knownNames))
  const before = await trustOf(trustStore(paths), project, file.sha256)
  if (options.show !== true) {
    // Logged first: if the process is killed in between, the log reports a change that was not made, rather than missing one.
    noteEvent(paths, 'trust.given', { project, sha256: file.sha256, before })
    await trust(trustStore(paths), project, file.sha256)
  }
  const now = options.show === true ? before : 'trusted'
  const words = { trusted: 'it is trusted', changed: 'it has changed since you trusted it', unknown: 'it is not trusted' }
  return {
    data: { schemaVersion: 1, project, file: file.file, sha256: file.sha256, before, trust: now, asksFor: settings },
    lines: [`${file.file} asks for${settings.length === 0 ? ' nothing' : ''}`, ...settings.map((each) => `  ${each.key} = ${each.value}`)],
    notes: [
      `${options.show === true ? words[now] : 'it is trusted in this version; any change needs your trust again'} (sha256 ${file.sha256.slice(0, 16)}…)`,
    ],
  }
}

/** `paddock untrust`: stops trusting the project's file. */
export async function untrustCommand(): Promise<Answer<Result<'untrust'>>> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const was = await untrust(trustStore(paths), project)
  if (was) noteEvent(paths, 'trust.taken', { project })
  return { data: { schemaVersion: 1, project, was }, notes: [was ? `${project} is no longer trusted` : `${project} was not trusted`] }
}
