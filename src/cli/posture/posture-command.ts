import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { posturesOf } from '../../base/cell-place.ts'
import { postureMeaning, postures } from '../../base/posture.ts'
import { effective, layered } from '../../config/layers.ts'
import { survey } from '../../credentials/scan/survey.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseRule } from '../../egress/requests/rule-text.ts'
import { projectAround } from '../../git/project.ts'
import { guarantees } from '../../guarantees/chapters.ts'
import { cellOf } from '../../guarantees/recorded-matrix.ts'
import { type RecordedRun, recordedRuns } from '../../guarantees/recorded-runs.ts'
import { promisedUnder } from '../../guarantees/verify.ts'
import { adviseOn } from '../../run/posture-advice.ts'
import { freshClone } from '../../run/trifecta/untrusted-content.ts'
import { type UserGit, userGit } from '../../worktree/user-git.ts'
import { loadConfig } from '../config/configured.ts'
import { cliCopyHost } from '../copy/command-copy-host.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { workingDirectory } from '../working-directory.ts'

const count = ({ statuses }: RecordedRun, status: string): number => Object.values(statuses).filter((each) => each === status).length

/** `paddock posture explain`: shows what each isolation level promises on this machine. */
export function postureExplain(): Answer<Result<'posture explain'>> {
  using host = openCliHost()
  const runs = recordedRuns(host.paths.state)
  const levels = postures.map((posture) => {
    const isBuiltHere = posturesOf(host.backends).includes(posture)
    const promised = isBuiltHere ? promisedUnder('allowlist', posture) : []
    return {
      posture,
      meaning: postureMeaning[posture],
      isBuiltHere,
      promised: promised.length,
      notPromised: isBuiltHere ? guarantees.filter((each) => each.notAt?.includes(posture) === true).map(({ id }) => id) : [],
      verified: runs
        .filter((each) => each.posture === posture)
        .map((each) => ({
          ...{ egress: each.egress, at: each.at, version: each.version, system: each.system },
          ...{ held: count(each, 'held'), broken: count(each, 'broken'), unenforceable: count(each, 'unenforceable') },
        })),
    }
  })
  const lines = levels.flatMap((each) => [
    `${each.posture}  ${each.meaning}`,
    ...(each.isBuiltHere
      ? []
      : [each.posture === 'L0' ? '    promises nothing: paddock run --posture L0 --i-know' : '    no cell has it here']),
    ...(each.isBuiltHere ? [`    ${each.promised} guarantees under --egress allowlist`] : []),
    ...(each.notPromised.length === 0 ? [] : [`    not promised: ${each.notPromised.join(', ')}`]),
    ...each.verified.map(
      (run) =>
        `    verified ${run.at.slice(0, 10)} with ${run.version} on ${run.system}, egress ${run.egress}: ${run.held} held, ${run.broken} broken, ${run.unenforceable} not enforceable`,
    ),
    ...(each.isBuiltHere && each.verified.length === 0 ? [`    never verified here: paddock verify --posture ${each.posture}`] : []),
  ])
  return { data: { schemaVersion: 1, levels }, lines }
}

/** `paddock posture compare`: shows each guarantee at each level that this machine has. */
export function postureCompare(): Answer<Result<'posture compare'>> {
  using host = openCliHost()
  const runs = recordedRuns(host.paths.state)
  const shown = posturesOf(host.backends)
  const columns = shown.map((posture) => ({ posture, runs: runs.filter((each) => each.posture === posture) }))
  const rows = guarantees.map((guarantee) => ({
    id: guarantee.id,
    levels: Object.fromEntries(columns.map((each) => [each.posture, cellOf(guarantee, each)])),
  }))
  const widest = Math.max(...rows.map((each) => each.id.length))
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(widest)}  ${cells.map((each) => each.padEnd(17)).join('')}`.trimEnd()
  return {
    data: { schemaVersion: 1, guarantees: rows },
    lines: [
      line('guarantee', shown),
      ...rows.map(({ id, levels }) =>
        line(
          id,
          shown.map((each) => levels[each] ?? ''),
        ),
      ),
    ],
  }
}

export interface AdviseOptions {
  readonly untrusted: readonly string[]
  readonly preset: readonly string[]
  readonly repo: readonly string[]
}

/** `paddock posture advise`: recommends an isolation level for an agent on the project of the working directory. */
export async function postureAdvise(agent: string, options: AdviseOptions): Promise<Answer<Result<'posture advise'>>> {
  const adapter = findAdapter(agent)
  using host = openCliHost()
  const project = projectAround(workingDirectory(), host.paths.userHome)
  const { files: configured } = await loadConfig(project, host.paths)
  const settings = effective(layered(configured), 'allowlist')
  const values = (key: string): readonly string[] => settings.filter((each) => each.key === `run.${key}`).map((each) => String(each.value))
  const clone = freshClone(project, Date.now())
  const { files } = await survey([{ root: project, hidden: values('mask') }])
  const found = {
    untrusted: [
      ...options.untrusted,
      ...(adapter.webTool === undefined || values('webTools').includes('false') ? [] : [adapter.webTool]),
      ...[...values('egress.presets'), ...options.preset].map((each) => `preset ${each}`),
      ...['allow', 'ask', 'inspect'].flatMap((each) => values(`egress.${each}`)),
      ...values('egress.rules').map((each) => parseRule(each, 'egress.rules').entry.host),
      ...[...values('repos'), ...options.repo].map((each) => `repository ${each.split('=', 1)[0]}`),
    ],
    foreignCode: [...(clone === null ? [] : [clone]), ...commitsByOthers(userGit(project, cliCopyHost()))],
    secrets: files.map((each) => each.path),
    pushes: [...values('repos'), ...options.repo]
      .filter((each) => parseRepository(each).access === 'write')
      .map((each) => each.split('=', 1)[0] ?? ''),
    missingTools: (host.machine.system.notInCell ?? []).filter((each) => each.startsWith(`${host.machine.user.home}${path.sep}`)),
  }
  const { name, webTool, withoutWebTools } = adapter
  const removable = webTool === undefined || withoutWebTools === undefined ? null : { agent: name, webTool }
  const { posture, why, commands } = adviseOn(found, removable)
  return {
    data: { schemaVersion: 1, posture, why: [...why], commands: [...commands], found },
    lines: [`${posture}  ${postureMeaning[posture]}`, ...why.map((each) => `  ${each}`), ...commands.map((each) => `  → ${each}`)],
  }
}

/** Returns the authors of recent commits who are not the user of this repository, most commits first; none if git does not know the user. */
function commitsByOthers(git: UserGit): readonly string[] {
  const own = text(git, ['config', 'user.email']).trim().toLowerCase()
  if (own === '') return []
  const authors = text(git, ['log', '-100', '--format=%ae']).toLowerCase().split('\n').filter(Boolean)
  const byOthers = Map.groupBy(
    authors.filter((each) => each !== own),
    (each) => each,
  )
  return [...byOthers]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([author, { length }]) => `${length} recent commit${length === 1 ? '' : 's'} by ${author}`)
}

const text = (git: UserGit, args: readonly string[]): string => git.bytes(args, '').toString('utf8')
