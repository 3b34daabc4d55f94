import { requireBackend } from '../../base/cell-place.ts'
import { keyText } from '../../config/key-path.ts'
import { together } from '../../run/several-problems.ts'
import type { Contest } from '../config/brief.ts'
import { placeOf, placeProblems } from '../config/contest-places.ts'
import { refuseProblems } from '../config/problems-error.ts'
import { roleKey } from '../config/variants.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { homeInWorkspace } from './home-in-workspace.ts'
import { missingPrograms } from './missing-programs.ts'
import { type ReadyRole, readyRole } from './role.ts'

const participantMs = 30 * 60_000
const judgeMs = 15 * 60_000

/** The participants and judges of a contest that can start. */
export interface ReadyContest {
  readonly participants: readonly ReadyRole[]
  readonly judges: readonly ReadyRole[]
}

/**
 * Finds everything that these participants and judges, and the checks of the participants, need before the first of them starts. Throws
 * AGENT_NOT_INSTALLED, LOGIN_NEEDED or BAD_INPUT, listing everything that is missing.
 */
export async function readyContest(
  contest: Contest,
  isWanted: (role: keyof ReadyContest, name: string) => boolean,
  deps: ContestDeps,
): Promise<ReadyContest> {
  const { config, layout, source } = contest
  const { timeouts, workspace } = config
  const checksRun = config.participants.some(({ name }) => isWanted('participants', name))
  const isRun = (role: keyof ReadyContest | 'checks', name: string): boolean => (role === 'checks' ? checksRun : isWanted(role, name))
  if (deps.backends !== undefined && deps.place !== undefined) requireBackend(deps.backends, deps.place, deps.place.origins)
  refuseProblems(
    [
      ...missingPrograms(contest, isRun, deps),
      ...homeInWorkspace(contest, deps),
      ...placeProblems(config, isRun, { ...(deps.place === undefined ? {} : { base: deps.place }), backends: deps.backends }),
    ],
    source,
  )
  const env = Object.entries(workspace?.env ?? {}).map(([name, value]) => `${name}=${value}`)
  const group = (role: keyof ReadyContest, cwd: string, timeoutMs: number): (() => Promise<ReadyRole>)[] =>
    config[role].flatMap((each, index) =>
      isWanted(role, each.name)
        ? [
            () =>
              readyRole(
                {
                  ...each,
                  ...placeOf(config, each, deps.place),
                  ...(role === 'judges' || env.length === 0 ? {} : { env: [...env, ...(each.env ?? [])] }),
                },
                keyText(roleKey(config, role, index)),
                { cwd, contestRoot: layout.root, timeoutMs },
                deps,
              ),
          ]
        : [],
    )
  const [participants, judges] = await together([
    () => together(group('participants', workspace?.cwd ?? '/contest/out', timeouts.participant ?? participantMs)),
    () => together(group('judges', '/contest/outbox', timeouts.judge ?? judgeMs)),
  ])
  return { participants, judges }
}
