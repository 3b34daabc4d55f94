import type { AgentAdapter, Family } from '../../adapters/adapter.ts'
import { adapters } from '../../adapters/find-adapter.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import { type FindAdapter, familiesBehind } from '../config/sense.ts'
import type { Finding } from './lint-finding.ts'

const enoughJudges = 3

/** Returns the advice that requires only the config of a contest. */
export function advice(config: ContestConfig, findAdapter: FindAdapter): Finding[] {
  return [...besideSubmissions(config), ...judgesOf(config, findAdapter)]
}

function besideSubmissions({ checks }: ContestConfig): Finding[] {
  return [...checks.entries()]
    .filter(([, check]) => check.command !== undefined)
    .map(([index, { name }]) => ({
      level: 'advice',
      key: `checks[${index}].command`,
      message: `${name} decides in the cell that the submission is in: what it imports or starts there can decide instead; write run and verify`,
    }))
}

/** Returns advice on judges: with three of them there is an interval, and three families do not share their errors. */
function judgesOf(config: ContestConfig, findAdapter: FindAdapter): Finding[] {
  const { judges, participants } = config
  if (judges.length === 0) return []
  const say = (message: string): Finding[] => [{ level: 'advice', key: 'judges', message }]
  const playing = new Set(participants.flatMap((each) => familiesBehind(each, findAdapter(each.agent))))
  const judging = judges.map((each) => familiesBehind(each, findAdapter(each.agent)))
  const families = new Set(judging.flat())
  const withoutModel = judging.filter((each) => each.length === 0).length
  const few = judges.length < enoughJudges
  if (!few && families.size + withoutModel >= enoughJudges) return []
  const some = three(playing, families)
  const found = few
    ? `${judges.length} of them ${judges.length === 1 ? 'gives' : 'give'} no interval for one brief`
    : `all ${judges.length} are of ${[...families].join(' and ')}, and make similar errors`
  return say(`${found}; take three of three families, for example ${some.map((each) => `${each.name} (${each.family})`).join(', ')}`)
}

/** Returns agents of three vendors: first vendors that already judge, then vendors without a participant. */
function three(playing: ReadonlySet<Family>, judging: ReadonlySet<Family>): readonly AgentAdapter[] {
  const order = ({ family }: AgentAdapter): number => (judging.has(family) ? 0 : playing.has(family) ? 2 : 1)
  const ofVendors = adapters.filter(({ family }) => family !== 'various' && family !== 'none')
  const first = [...new Map(ofVendors.toReversed().map((each) => [each.family, each])).values()].toReversed()
  return first.toSorted((a, b) => order(a) - order(b)).slice(0, enoughJudges)
}
