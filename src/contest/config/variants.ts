import type * as z from 'zod'
import type { KeyPath } from '../../config/key-path.ts'
import { isSafeName, safeNameRule } from '../../files/safe-name.ts'

/** What a participant that was written as a variant of another is a variant of. */
export interface Variant {
  /** The name of the participant with the variants. No participant of that name runs. */
  readonly of: string
  readonly name: string
  /** The keys that the variant itself sets. */
  readonly sets: readonly string[]
}

/** A participant as it is written, with or without variants. */
interface Written {
  readonly name: string
  readonly variants?: Readonly<Record<string, object>> | undefined
}

type Expanded<T extends Written> = Omit<T, 'variants'> & { readonly variant?: Variant }

const mostParticipants = 1000

/**
 * Returns the participants with one for each variant. What a variant sets replaces the key of its participant. Names that cannot be used are
 * reported as issues of the schema; names that are used twice are found with those of all participants.
 */
export function expandVariants<T extends Written>(participants: readonly T[], context: z.core.$RefinementCtx<readonly T[]>): Expanded<T>[] {
  const say = (path: KeyPath, message: string): void => {
    context.issues.push({ code: 'custom', path: [...path], message, input: participants })
  }
  const expanded = participants.flatMap(({ variants, ...own }, index): Expanded<T>[] => {
    if (variants === undefined) return [own]
    const isTwice = participants.some(({ name }, other) => name === own.name && other !== index)
    if (isTwice) say([index, 'name'], `is used twice: ${own.name}`)
    const all = Object.entries(variants)
    if (all.length === 0) say([index, 'variants'], 'must name at least one variant')
    return all.map(([name, changes]) => {
      const full = `${own.name}-${name}`
      if (!isSafeName(full)) say([index, 'variants', name], `makes the name ${full}, which is not ${safeNameRule}`)
      return { ...own, ...changes, name: full, variant: { of: own.name, name, sets: Object.keys(changes) } }
    })
  })
  if (expanded.length > mostParticipants) say([], `make ${expanded.length} participants with their variants; at most ${mostParticipants}`)
  return expanded
}

interface Roles {
  readonly participants: readonly { readonly variant?: Variant }[]
}

/**
 * Returns the path in its file of a participant or judge, or of a key of it. A participant with variants is one entry of the file, and its
 * variants have only the keys that they set.
 */
export function roleKey({ participants }: Roles, group: 'participants' | 'judges', index: number, key?: string): KeyPath {
  const rest = key === undefined ? [] : [key]
  if (group === 'judges') return [group, index, ...rest]
  const entries = participants.slice(0, index + 1).filter(({ variant }, at) => {
    const before = at === 0 ? undefined : participants[at - 1]?.variant
    return variant === undefined || before?.of !== variant.of
  })
  const entry = [group, entries.length - 1]
  const variant = participants[index]?.variant
  if (variant === undefined) return [...entry, ...rest]
  if (key === 'name') return [...entry, 'variants', variant.name]
  return key === undefined || variant.sets.includes(key) ? [...entry, 'variants', variant.name, ...rest] : [...entry, key]
}
