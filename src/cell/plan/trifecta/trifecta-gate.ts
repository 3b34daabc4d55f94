import { PaddockError } from '../../../base/errors.ts'
import { listed } from '../../../base/text.ts'
import { isStricter, type OriginedRule, type TrifectaWish } from '../../../base/trifecta-rating.ts'
import type { CellPlan } from '../plan.ts'
import { trifecta } from './trifecta.ts'

/** What the user's configuration and the user decide about cells with all three parts of the lethal trifecta. */
export interface TrifectaMeans {
  /** Returns the rule of the user's configuration, as it is now. @throws PaddockError `BAD_INPUT` if it cannot be read */
  readonly rule: () => Promise<OriginedRule>
  /** Asks in the terminal; absent: nobody can be asked. */
  readonly ask?: (question: string) => Promise<boolean>
}

/** The consent of the user: the evidence that the question showed. */
export type TrifectaConsent = ReadonlySet<string>

/** Returns the rule for a cell: the stricter one of its own and that of the user's configuration. */
export async function ruleFor(wish: TrifectaWish | undefined, means: TrifectaMeans | undefined): Promise<OriginedRule> {
  const configured = (await means?.rule()) ?? { rule: 'warn', origin: 'default' }
  return wish?.rule !== undefined && isStricter(wish.rule.rule, configured.rule) ? wish.rule : configured
}

/**
 * Refuses a cell with all three parts of the lethal trifecta, if the rule says so and the user has not agreed to all of their evidence.
 * @throws PaddockError `NOT_ALLOWED` with the evidence, the rule and what ends the refusal
 */
export function refuseTrifecta(
  plan: CellPlan,
  { rule, origin }: OriginedRule,
  wish: TrifectaWish | undefined,
  consent: TrifectaConsent | null,
): void {
  if (rule === 'warn') return
  const evidence = evidenceOf(plan)
  if (evidence === null || (rule === 'ask' && consent !== null && evidence.every((each) => consent.has(each)))) return
  const how = rule === 'forbid' ? 'does not allow' : 'allows only if you agree in a terminal'
  throw new PaddockError('NOT_ALLOWED', `${plan.name} would ${partsText(plan)}, which run.trifecta: ${rule} ${how} (${origin}).`, {
    hint: wish?.remedy ?? `Set run.trifecta to warn: ${origin}`,
  })
}

/**
 * Asks the user about a cell with all three parts of the lethal trifecta, if the rule is `ask`.
 * Returns null if there is nothing to ask, or nobody to be asked.
 * @throws PaddockError `CANCELLED` if the answer is no
 */
export async function askAboutTrifecta(
  plan: CellPlan,
  { rule }: OriginedRule,
  wish: TrifectaWish | undefined,
  { ask }: TrifectaMeans,
): Promise<TrifectaConsent | null> {
  const evidence = evidenceOf(plan)
  if (rule !== 'ask' || evidence === null || ask === undefined) return null
  if (await ask(`${plan.name} would ${partsText(plan)}. Start it?`)) return new Set(evidence)
  throw new PaddockError('CANCELLED', `${plan.name} was not started.`, wish?.remedy == null ? {} : { hint: wish.remedy })
}

/** Returns all evidence, marked by its part; null if a part has no evidence. */
function evidenceOf(plan: CellPlan): readonly string[] | null {
  const parts = Object.entries<readonly string[]>({ ...trifecta(plan) })
  return parts.some(([, texts]) => texts.length === 0) ? null : parts.flatMap(([part, texts]) => texts.map((each) => `${part} ${each}`))
}

function partsText(plan: CellPlan): string {
  const { privateData, untrusted, wayOut } = trifecta(plan)
  return `see private data (${listed(privateData, 3)}), read text of others (${listed(untrusted, 3)}) and have a way out (${listed(wayOut, 3)})`
}
