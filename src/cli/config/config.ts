import { effective, layered } from '../../config/layers.ts'
import { configJsonSchema } from '../../config/schema.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { projectAround } from '../../git/project.ts'
import { resolvePaths } from '../../paths.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { workingDirectory } from '../working-directory.ts'
import { loadConfig, userConfigFile } from './configured.ts'

/** `paddock config show`: every value that counts here and, with `origin`, where it comes from. */
export async function configShow(options: { readonly origin?: boolean; readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const loaded = await loadConfig(project, paths)
  const all = layered(loaded.files)
  const settings = effective(all, String(all.findLast((each) => each.key === 'run.egress.policy')?.value))
  const own = loaded.project
  if (options.json === true) {
    const projectFile = own === null ? null : { file: own.file.file, sha256: own.file.sha256, trust: own.trust }
    printJson({ schemaVersion: 1, project, userFile: userConfigFile(paths), projectFile, settings })
    return exitCodes.done
  }
  const width = Math.max(...settings.map((each) => `${each.key} = ${each.value}`.length))
  for (const each of settings) {
    const text = `${each.key} = ${each.value}`
    process.stdout.write(`${printable(options.origin === true ? `${text.padEnd(width)}  ${each.origin}` : text)}\n`)
  }
  if (own !== null && own.trust !== 'trusted')
    say(
      `${own.file.file} ${own.trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'}, so it does not count: paddock trust --show`,
    )
  return exitCodes.done
}

/** `paddock config schema`: the JSON Schema of a file, for editors. */
export function configSchema(which: string): number {
  if (which !== 'user' && which !== 'project')
    throw new PaddockError('BAD_INPUT', `There is no configuration "${which}".`, {
      hint: 'paddock config schema user    or    paddock config schema project',
    })
  printJson(configJsonSchema(which))
  return exitCodes.done
}
