import { describe, expect, it } from 'vitest'
import { mostCharacters, mostEvidence, rated } from '../../../src/base/trifecta-rating.ts'
import { trifectaSchema } from '../../../src/base/trifecta-schema.ts'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'
import { trifectaRating } from '../../../src/cell/plan/trifecta/trifecta.ts'
import { askAboutTrifecta, refuseTrifecta, ruleFor } from '../../../src/cell/plan/trifecta/trifecta-gate.ts'

/** The parts of a plan on which the rating depends. */
function planOf(of: Partial<Pick<CellPlan, 'filesystem' | 'env' | 'egress' | 'untrusted' | 'publish'>> = {}): CellPlan {
  const part = {
    name: 'run claude',
    identity: { home: '/home/me' },
    filesystem: [{ kind: 'bind', source: '/p', target: '/p', access: 'rw', reason: 'project' }],
    env: {},
    egress: { mode: 'allowlist', entries: [{ host: 'api.test', ports: [443], internal: false, source: 'user' }] },
    untrusted: ['web search of claude'],
    publish: [],
    ...of,
  }
  return part as unknown as CellPlan
}

describe('the rating of a plan', () => {
  it('has all three parts only if each has evidence', () => {
    const all = { all: true, privateData: ['/p (rw)'], untrusted: ['web search of claude'], wayOut: ['api.test:443'] }
    expect(trifectaRating(planOf())).toEqual(all)
    expect(trifectaRating(planOf({ untrusted: [] }))).toEqual({ ...all, all: false, untrusted: [] })
    expect(trifectaRating(planOf({ egress: { mode: 'off' } }))).toEqual({ ...all, all: false, wayOut: [] })
    expect(trifectaRating(planOf({ egress: { mode: 'off' }, publish: [80] }))).toEqual({ ...all, wayOut: ['published port 80'] })
    expect(trifectaRating(planOf({ filesystem: [] }))).toEqual({ ...all, all: false, privateData: [] })
    const open = planOf({ untrusted: [], egress: { mode: 'public', entries: [], blocked: [] } })
    expect(trifectaRating(open)).toEqual({ ...all, untrusted: ['the internet'], wayOut: ['public'] })
  })

  it('counts the directories of a contest, and the home at L1', () => {
    const filesystem: CellPlan['filesystem'] = [
      { kind: 'overlay', path: '/usr', access: 'ro', hidden: [] },
      { kind: 'overlay', path: '/home', access: 'ro', hidden: [] },
      { kind: 'overlay', path: '/home/me', access: 'rw', sizeBytes: 1, hidden: [] },
      { kind: 'bind', source: '/c/out', target: '/work', access: 'rw', reason: 'contest' },
    ]
    expect(trifectaRating(planOf({ filesystem })).privateData).toEqual(['/work (rw)', '/home/me (ro)'])
  })

  it('is small, whatever the plan has', () => {
    const many = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(10_000)}`)
    const rating = rated({ privateData: many, untrusted: many, wayOut: many })
    expect(trifectaSchema.parse(rating)).toEqual(rating)
    expect(rating.wayOut).toHaveLength(mostEvidence)
    expect(rating.wayOut.at(-1)).toBe(`and ${500 - mostEvidence + 1} more`)
    expect(rating.wayOut[0]).toHaveLength(mostCharacters)
  })
})

describe('the rule', () => {
  const remedy = 'Run: paddock run --no-web-tools claude'
  const by = (rule: 'warn' | 'ask' | 'forbid') => ({ rule, origin: '/c:3' })

  it('refuses a plan with all three parts, with their evidence and what ends it', () => {
    expect(() => refuseTrifecta(planOf(), by('forbid'), { remedy }, null)).toThrow(
      expect.objectContaining({
        code: 'NOT_ALLOWED',
        message:
          'run claude would see private data (/p (rw)), read text of others (web search of claude) and have a way out (api.test:443), which run.trifecta: forbid does not allow (/c:3).',
        hint: remedy,
      }),
    )
    expect(() => refuseTrifecta(planOf(), by('forbid'), undefined, null)).toThrow(
      expect.objectContaining({ hint: 'Set run.trifecta to warn: /c:3' }),
    )
    refuseTrifecta(planOf(), by('warn'), { remedy }, null)
    refuseTrifecta(planOf({ untrusted: [] }), by('forbid'), { remedy }, null)
  })

  it('takes the stricter one of the spec and of the configuration', async () => {
    const configured = (rule: 'warn' | 'ask' | 'forbid') => ({ rule: async () => by(rule) })
    const wish = (rule: 'warn' | 'ask' | 'forbid') => ({ rule: { rule, origin: '/p:1' }, remedy: null })
    expect(await ruleFor(wish('warn'), configured('forbid'))).toEqual(by('forbid'))
    expect(await ruleFor(wish('forbid'), configured('ask'))).toEqual({ rule: 'forbid', origin: '/p:1' })
    expect(await ruleFor(undefined, undefined)).toEqual({ rule: 'warn', origin: 'default' })
  })

  it('asks, and the answer is only valid for the evidence that was shown', async () => {
    const questions: string[] = []
    const answering = (answer: boolean) => ({
      rule: async () => by('ask'),
      ask: async (question: string) => questions.push(question) > 0 && answer,
    })
    const consent = await askAboutTrifecta(planOf(), by('ask'), { remedy }, answering(true))
    expect(questions[0]).toMatch(/^run claude would see private data .*\. Start it\?$/)
    refuseTrifecta(planOf(), by('ask'), { remedy }, consent)
    expect(() => refuseTrifecta(planOf({ untrusted: ['preset npm'] }), by('ask'), { remedy }, consent)).toThrow(/: ask allows only if/)
    expect(() => refuseTrifecta(planOf(), by('ask'), { remedy }, null)).toThrow(/: ask allows only if you agree in a terminal/)
    await expect(askAboutTrifecta(planOf(), by('ask'), { remedy }, answering(false))).rejects.toThrow(
      expect.objectContaining({ code: 'CANCELLED', hint: remedy }),
    )
    // Nothing to ask, or nobody to be asked.
    expect(await askAboutTrifecta(planOf({ untrusted: [] }), by('ask'), { remedy }, answering(true))).toBeNull()
    expect(await askAboutTrifecta(planOf(), by('ask'), { remedy }, { rule: async () => by('ask') })).toBeNull()
  })
})
