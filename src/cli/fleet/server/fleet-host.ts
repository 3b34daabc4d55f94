import { realpathSync } from 'node:fs'
import path from 'node:path'
import { exitCodes, PaddockError } from '../../../base/errors.ts'
import type { BasePlace } from '../../../config/base-place.ts'
import { privateDirectory } from '../../../credentials/vault/private-place.ts'
import { tryLock } from '../../../files/lock.ts'
import { agentData } from '../../../fleet/data-directory.ts'
import { serveHost } from '../../../fleet/host-process/serve-host.ts'
import type { NamedDirectories } from '../../../fleet/manifest/project-rights.ts'
import type { TreeWishes } from '../../../fleet/workspace/placed-workspace.ts'
import type { Host } from '../../../host.ts'
import { onEndSignal } from '../../terminal/signals.ts'
import { say } from '../../terminal/terminal-output.ts'
import { version } from '../../version.ts'

/** Milliseconds to wait until a host process that is ending releases its lock. */
const lockPatienceMs = 1_000

/** `paddock fleet-host`: runs the host process of one agent. Returns when the process has nothing left to do or is stopped. */
export async function fleetHost(options: { readonly agentRoot: string; readonly agent: string; readonly idle: string }): Promise<number> {
  const idleMs = Number(options.idle)
  if (!Number.isSafeInteger(idleMs) || idleMs < 0)
    throw new PaddockError('BAD_INPUT', `--idle ${options.idle} is not a number of milliseconds.`)
  const data = agentData(realpathSync(options.agentRoot))
  const directory = path.dirname(data.socket)
  await privateDirectory(directory)
  const lock = await tryLock({ file: data.hostLock, command: 'paddock fleet-host', patienceMs: lockPatienceMs })
  if (lock === null)
    throw new PaddockError('BUSY', `Another host process of agent ${options.agent} is running.`, {
      hint: `See which process it is: cat ${data.hostFile}`,
    })
  const stopped = new AbortController()
  onEndSignal(() => stopped.abort())
  const host = lazyHost()
  const means = { data, host: () => host.open(), now: () => new Date(), treeWishes, floor, projects }
  // A socket path may have at most 107 bytes (unix(7)). Relative to the working directory it is short.
  process.chdir(directory)
  try {
    const { ended } = await serveHost({
      data,
      agent: options.agent,
      paddock: version,
      socket: path.basename(data.socket),
      idleMs,
      notice: say,
      signal: stopped.signal,
      async run(order, signal, hooks) {
        const { runJob } = await import('../../../fleet/host-process/run-job.ts')
        return runJob(order, { ...means, signal, hooks })
      },
      async openTerminal(order, signal) {
        const { openTerminal } = await import('../../../fleet/host-process/open-terminal.ts')
        return openTerminal(order, { ...means, signal })
      },
    })
    await ended
    return exitCodes.done
  } finally {
    host.close()
    lock[Symbol.dispose]()
  }
}

/** Returns what the user's configuration, and that of a trusted project, add to new trees of a project. */
async function treeWishes(project: string): Promise<TreeWishes> {
  const [{ loadConfig }, { setupWish }, { resolvePaths }] = await Promise.all([
    import('../../config/configured.ts'),
    import('../../../setup/wish.ts'),
    import('../../../base/paths.ts'),
  ])
  const { files } = await loadConfig(project, resolvePaths(process.env))
  return { files: files.flatMap(({ config }) => config.worktree?.copy ?? []), setup: setupWish(files) }
}

/** Returns the place of cells by the configuration, which has the lowest level for a project; null: no project. */
async function floor(project: string | null): Promise<BasePlace> {
  const [{ loadConfig }, { basePlace }, { resolvePaths }] = await Promise.all([
    import('../../config/configured.ts'),
    import('../../../config/layers.ts'),
    import('../../../base/paths.ts'),
  ])
  const { files } = await loadConfig(project ?? '', resolvePaths(process.env), { projectFile: project !== null })
  return basePlace(files)
}

/** Returns the directories that the user's configuration, as it is now, lets manifests name. */
async function projects(): Promise<NamedDirectories> {
  const [{ loadConfig }, { resolvePaths }] = await Promise.all([import('../../config/configured.ts'), import('../../../base/paths.ts')])
  const paths = resolvePaths(process.env)
  const { files } = await loadConfig('', paths, { projectFile: false })
  const allowed = files.flatMap(({ config }) => config.fleet?.projects ?? [])
  return { allowed, agents: allowed, userHome: paths.userHome, key: 'fleet.projects' }
}

/** Returns a host that is opened only for the first job, so that an idle process uses no resources for it. */
function lazyHost(): { open(): Promise<Host>; close(): void } {
  let host: Host | null = null
  return {
    async open() {
      const { openCliHost } = await import('../../open-host.ts')
      host ??= openCliHost()
      return host
    },
    close: () => host?.[Symbol.dispose](),
  }
}
