import { exitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { configJsonSchema } from '../../config/config-schema.ts'
import { effective, layered, type Setting } from '../../config/layers.ts'
import { userConfigFile } from '../../config/machine-settings.ts'
import { type WayOut, wayOut } from '../../egress/upstream/way-out.ts'
import { projectAround } from '../../git/project.ts'
import { type Telemetry, telemetry } from '../../telemetry/current-telemetry.ts'
import { defaultTimeoutMs } from '../../telemetry/otlp-settings.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { printJson } from '../terminal/terminal-output.ts'
import { workingDirectory } from '../working-directory.ts'
import { loadConfig } from './configured.ts'

/** `paddock config show`: prints every value that is in effect here and, with `origin`, the source of each. */
export async function configShow(options: { readonly origin?: boolean }): Promise<Answer<Result<'config show'>>> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  const loaded = await loadConfig(project, paths)
  const all = layered(loaded.files)
  const settings = [
    ...effective(all, String(all.findLast((each) => each.key === 'run.egress.policy')?.value)),
    ...wayOutSettings(wayOut()),
    ...telemetrySettings(telemetry()),
  ].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const own = loaded.project
  const projectFile = own === null ? null : { file: own.file.file, sha256: own.file.sha256, trust: own.trust }
  const texts = settings.map((each) => `${each.key} = ${each.value}`)
  const width = Math.max(...texts.map(({ length }) => length))
  return {
    data: { schemaVersion: 1, project, userFile: userConfigFile(paths), projectFile, settings },
    lines: texts.map((text, index) => (options.origin === true ? `${text.padEnd(width)}  ${settings[index]?.origin}` : text)),
    notes:
      own === null || own.trust === 'trusted'
        ? []
        : [
            `${own.file.file} ${own.trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'}, so it is ignored: paddock trust --show`,
          ],
  }
}

/** Returns the way out of this machine, whose values may be from the environment. It has no login. */
function wayOutSettings({ settings }: WayOut): readonly Setting[] {
  if (settings === null) return []
  const { proxy, noProxy, auth, ca } = settings
  const values: readonly (readonly [key: string, value: string | null, origin: string])[] = [
    ['proxy', proxy?.value.shown ?? null, proxy?.place ?? ''],
    ['noProxy', proxy === null || noProxy.text === '' ? null : noProxy.text, noProxy.place],
    ['auth', auth, 'egress.upstream.auth'],
    ...ca.map(({ value, place }) => ['ca', value, place] as const),
  ]
  return values.flatMap(([key, value, origin]) => (value === null ? [] : [{ key: `egress.upstream.${key}`, value, origin }]))
}

/** Returns the settings of telemetry, whose values may be from the environment. They do not contain the headers. */
function telemetrySettings(current: Telemetry | null): readonly Setting[] {
  if (current === null) return []
  const { endpoint, headers, content, timeoutMs } = current.settings
  const shown = headers === null ? [] : [['headers', 'reference' in headers ? headers.reference : '(set)', headers.place] as const]
  return [
    ['endpoint', endpoint.value, endpoint.place] as const,
    ...shown,
    ['content', content, content ? 'telemetry.otlp.content' : 'default'] as const,
    ['timeout', `${timeoutMs / 1000}s`, timeoutMs === defaultTimeoutMs ? 'default' : 'telemetry.otlp.timeout'] as const,
  ].map(([key, value, origin]) => ({ key: `telemetry.otlp.${key}`, value, origin }))
}

/** `paddock config schema`: prints the JSON Schema of a configuration file, for editors. */
export function configSchema(which: string): number {
  if (which !== 'user' && which !== 'project')
    throw new PaddockError('BAD_INPUT', `There is no configuration "${which}".`, {
      hint: 'paddock config schema user    or    paddock config schema project',
    })
  printJson(configJsonSchema(which))
  return exitCodes.done
}
