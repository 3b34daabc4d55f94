import { connect } from 'node:net'
import { vendorAdapters } from '../../adapters/find-adapter.ts'
import { listed } from '../../base/text.ts'
import { type Check, failedCheck } from '../../cell/backend-facts.ts'
import { layered } from '../../config/layers.ts'
import { parseAllow } from '../../egress/policy/allow.ts'
import type { AllowEntry } from '../../egress/policy/egress-policy.ts'
import { isRegistryTool, presetEntries } from '../../egress/policy/presets.ts'
import { projectAround } from '../../git/project.ts'
import type { Host } from '../../host.ts'
import { loadConfig } from '../config/configured.ts'
import { lookUpNames } from '../config/names-look.ts'
import { internalPlace } from '../run/internal-place.ts'
import { workingDirectory } from '../working-directory.ts'

/** Longest time for one connection, in milliseconds. All are made at once. */
const connectMs = 3_000
const mostNames = 3

/**
 * Returns the `paddock doctor` checks of the presets that the configuration uses in this directory: whether their names resolve to addresses
 * that a cell may reach. `connects`: also whether they accept a TCP connection, which their operators can see. Empty without presets.
 */
export async function presetChecks(host: Pick<Host, 'paths' | 'env' | 'presets'>, connects: boolean): Promise<readonly Check[]> {
  try {
    const { files } = await loadConfig(projectAround(workingDirectory(), host.paths.userHome), host.paths)
    const valuesOf = (key: string): readonly string[] => layered(files).flatMap((each) => (each.key === key ? [String(each.value)] : []))
    if (valuesOf('run.egress.policy').at(-1) !== 'allowlist') return []
    const presets = [...new Set(valuesOf('run.egress.presets'))]
    const facts = await host.presets(presets.filter(isRegistryTool))
    const agents = Object.fromEntries(vendorAdapters.map((each) => [each.name, each.hosts]))
    const allowed = valuesOf('run.egress.allow').map((each) => parseAllow(each))
    const checks = presets.map(async (name): Promise<readonly Check[]> => {
      try {
        return await checksOf(name, [...allowed], presetEntries(name, facts, agents), host.env, connects)
      } catch (error) {
        return [failed(name, error)]
      }
    })
    return (await Promise.all(checks)).flat()
  } catch (error) {
    return [failed('configuration', error)]
  }
}

function failed(name: string, error: unknown): Check {
  return { name: titleOf(name), ok: false, ...failedCheck(error) }
}

const titleOf = (name: string): string => (name === 'configuration' ? name : `preset ${name}`)

async function checksOf(
  name: string,
  allowed: readonly AllowEntry[],
  entries: readonly AllowEntry[],
  env: NodeJS.ProcessEnv,
  connects: boolean,
): Promise<readonly Check[]> {
  // The first entry for a name counts, as in a cell.
  const used = entries.map((each) => allowed.find(({ host }) => host === each.host) ?? each)
  const { unresolvable, internal } = await lookUpNames(used, env)
  const bad: Check[] = internal.map((each) => {
    const { text, pin } = internalPlace(each)
    const detail = `${text}, so cells cannot reach it`
    return { name: titleOf(name), ok: false, detail, ...(pin === null ? {} : { hint: `To allow it, add to run.egress.allow: ${pin}` }) }
  })
  if (unresolvable.length > 0)
    bad.push({ name: titleOf(name), ok: false, detail: `these names do not resolve here: ${listed(unresolvable, mostNames)}` })
  const rest = used.filter(({ host }) => !unresolvable.includes(host) && !internal.some((each) => each.host === host))
  const refused = connects ? await unconnected(rest) : []
  if (refused.length > 0)
    bad.push({ name: titleOf(name), ok: false, detail: `no connection from this machine: ${listed(refused, mostNames)}` })
  if (bad.length > 0) return bad
  const what = used.length === 1 ? (used[0]?.host ?? '') : `all ${used.length} hosts`
  const verb = used.length === 1 ? ['resolves', 'accepts connections'] : ['resolve', 'accept connections']
  return [{ name: titleOf(name), ok: true, detail: `${what} ${verb[connects ? 1 : 0]}` }]
}

/** Returns the hosts and ports that accept no TCP connection in time, or at all. Nothing is sent. */
async function unconnected(entries: readonly AllowEntry[]): Promise<readonly string[]> {
  const all = entries.flatMap(({ host, ports, pin }) =>
    ports.map(async (port) => {
      const isOpen = await accepts(pin?.address ?? host, pin?.port ?? port)
      return isOpen ? [] : [`${host}:${port}`]
    }),
  )
  return (await Promise.all(all)).flat()
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(connectMs) })
    const end = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
