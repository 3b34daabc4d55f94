import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lazily } from '../base/lazily.ts'
import type { Paths } from '../base/paths.ts'
import type { UpstreamInput } from '../egress/upstream/upstream-settings.ts'
import { setWayOut, type WayOut } from '../egress/upstream/way-out.ts'
import type { Secret } from '../secrets/secret.ts'
import { setProgramRules } from '../system/host-program.ts'
import { setTelemetry, type Telemetry } from '../telemetry/current-telemetry.ts'
import type { OtlpInput } from '../telemetry/otlp-settings.ts'
import type { Config } from './config-schema.ts'
import { programRules } from './program-rules.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the path of the user's configuration. */
export function userConfigFile(paths: Pick<Paths, 'config'>): string {
  return path.join(paths.config, 'config.yaml')
}

/**
 * Applies the settings of this machine to this process: the programs that Paddock may run on it, the way to other hosts, and telemetry. Settings in a
 * configuration that cannot be read or is not valid are not used: the commands that use the configuration report that.
 * @param cwd the working directory; null if it was removed.
 * @throws PaddockError BAD_INPUT for a way out that cannot be used
 */
export async function applyMachineSettings(paths: Paths, env: Environment, cwd: string | null): Promise<void> {
  const config = await machineConfig(paths)
  const absolute = (file: string): string => path.normalize(file.replace(/^~(?=\/)/, paths.userHome))
  setProgramRules(programRules(paths, cwd, (config?.host?.path ?? []).map(absolute)))
  const upstream = config?.egress?.upstream ?? {}
  setTelemetry(await telemetryFor(config?.telemetry?.otlp ?? {}, paths, env))
  setWayOut(await wayOutFor({ ...upstream, ...(upstream.ca === undefined ? {} : { ca: upstream.ca.map(absolute) }) }, paths, env))
}

async function machineConfig(paths: Paths): Promise<Config | null> {
  let text: string
  try {
    text = readFileSync(userConfigFile(paths), 'utf8')
  } catch {
    return null
  }
  // The parser is loaded only if one of the keys can be in the file; most users do not need them.
  if (!/\b(?:host|upstream|telemetry)\b/.test(text)) return null
  const [{ readYaml }, { userSchema }] = await Promise.all([import('./yaml.ts'), import('./config-schema.ts')])
  const read = readYaml(text)
  const parsed = 'problems' in read ? null : userSchema.safeParse(read.data)
  return parsed?.success === true ? parsed.data : null
}

const variables = /^(?:(?:https?|all)_proxy|node_extra_ca_certs|ssl_cert_file)$/i

async function wayOutFor(input: UpstreamInput, paths: Paths, env: Environment): Promise<WayOut | null> {
  if (Object.keys(input).length === 0 && !Object.keys(env).some((each) => variables.test(each))) return null
  const { readUpstream } = await import('../egress/upstream/upstream-settings.ts')
  const settings = readUpstream(input, env)
  const { addedCertificates } = await import('../egress/upstream/added-certificates.ts')
  const added = lazily(() => addedCertificates(settings.ca))
  if (settings.proxy === null) return { settings, upstream: null, added }
  const { openUpstream } = await import('../egress/upstream/upstream-proxy.ts')
  return { settings, added, upstream: openUpstream(settings, { login: secretReader(paths, env, 'egress.upstream.auth') }) }
}

async function telemetryFor(input: OtlpInput, paths: Paths, env: Environment): Promise<Telemetry | null> {
  if (input.endpoint === undefined && !env['OTEL_EXPORTER_OTLP_ENDPOINT']) return null
  const { readOtlp, readPairs } = await import('../telemetry/otlp-settings.ts')
  const settings = readOtlp(input, env)
  if (settings === null) return null
  const { headers } = settings
  const read = secretReader(paths, env, 'telemetry.otlp.headers')
  return {
    settings,
    headers: async () => readPairs(headers === null ? '' : 'text' in headers ? headers.text : (await read(headers.reference)).text()),
  }
}

/** Returns a reader of secrets, which keeps what it has read. `place`: the key of the configuration with the reference. */
function secretReader(paths: Paths, env: Environment, place: string): (reference: string) => Promise<Secret> {
  const kept = new Map<string, Secret>()
  return async (reference) => {
    const known = kept.get(reference)
    if (known !== undefined) return known
    const [{ secretKeeper }, { vaultMeans }, { parseSecretRef }] = await Promise.all([
      import('../credentials/secret-keeper.ts'),
      import('../credentials/vault/means.ts'),
      import('../credentials/secret-ref.ts'),
    ])
    const { secret } = await secretKeeper({ env, vault: vaultMeans(paths, { ...env }) })(parseSecretRef(reference, place))
    kept.set(reference, secret)
    return secret
  }
}
