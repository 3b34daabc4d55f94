import type { Contest } from '../config/brief.ts'
import { type Ready, readyContender } from './contender.ts'
import type { ContestDeps } from './deps.ts'
import { together } from './several-problems.ts'

const participantWallMs = 30 * 60_000
const judgeWallMs = 15 * 60_000

/** Participants and judges that can start. */
export interface ReadyContest {
  readonly participants: readonly Ready[]
  readonly judges: readonly Ready[]
}

/**
 * Finds everything that these participants and judges need, before the first of them starts. Throws AGENT_NOT_INSTALLED, LOGIN_NEEDED or
 * BAD_INPUT, with all that is missing.
 */
export async function readyContest(
  { config, layout }: Contest,
  isWanted: (role: keyof ReadyContest, name: string) => boolean,
  deps: ContestDeps,
): Promise<ReadyContest> {
  const { timeouts } = config
  const group = (role: keyof ReadyContest, cwd: string, wallMs: number): (() => Promise<Ready>)[] =>
    config[role].flatMap((each, index) =>
      isWanted(role, each.name) ? [() => readyContender(each, `${role}[${index}]`, { cwd, contestRoot: layout.root, wallMs }, deps)] : [],
    )
  const [participants, judges] = await together([
    () => together(group('participants', '/contest/out', timeouts.participant ?? participantWallMs)),
    () => together(group('judges', '/contest/outbox', timeouts.judge ?? judgeWallMs)),
  ])
  return { participants, judges }
}
