import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { sealedFile } from '../../support/sealed-files.ts'

const works = (text: string): string =>
  `echo ${text} >> answer; echo obey > CLAUDE.md; [ ! -e /contest/FEEDBACK.md ] || cp /contest/FEEDBACK.md told`
/** Gives scores if there are labels. If there is one submission, it writes a review of everything that it sees. */
const reviews = `if [ -d /contest/submission ]; then exec > /contest/outbox/review.md; cat; find /contest -type f; cat /contest/submission/answer; cat /proc/self/mountinfo; else ${fiveForAll}; fi`

describe.each(everyone)('paddock contest consult, as %s', (who) => {
  it('reviewers see one submission without a name, and their reviews reach only its participant', async () => {
    using at = makeContestStage(who, { alice: works('from-a'), bob: works('from-b') }, { strict: reviews, mild: reviews })
    at.put('JUDGE_BRIEF.md', 'For judges.\n')
    expect((await at.run('consult')).stderr).toContain('was never run')
    await at.run('run')
    const consulted = await at.run('consult', '--json')
    expect([consulted.code, JSON.parse(consulted.stdout)]).toMatchObject([
      0,
      {
        consultation: 1,
        participants: [
          { participant: 'alice', round: 1, reviewers: [{ reviewed: true }, { reviewed: true }] },
          { participant: 'bob', reviews: 'consultations/1/bob/REVIEWS.md' },
        ],
      },
    ])
    const ofAlice = at.read('consultations/1/alice/REVIEWS.md')
    expect(ofAlice.match(/^# Review \d$/gm)).toEqual(['# Review 1', '# Review 2'])
    expect(ofAlice).toContain('from-a')
    expect(ofAlice).toContain('/contest/submission/CLAUDE.md.submitted.txt')
    expect(ofAlice).not.toMatch(/alice|bob|from-b|JUDGE_BRIEF|rounds/)

    const refined = await at.run('consult', 'alice', '--refine', '--json')
    expect([refined.code, JSON.parse(refined.stdout)]).toMatchObject([0, { round: 2 }])
    expect(sealedFile(at.contest, 'alice', 'answer', 2)).toBe('from-a\nfrom-a\n')
    expect(sealedFile(at.contest, 'alice', 'told', 2)).toBe(at.read('consultations/2/alice/REVIEWS.md'))
    expect(JSON.parse(at.read('rounds/2/sealed/bob/seal.json'))).toMatchObject({ carriedFrom: 1 })
    expect(existsSync(path.join(at.contest, 'consultations/2/bob'))).toBe(false)

    await at.run('consult', '--refine')
    for (const [name, text] of [
      ['alice', 'from-a'],
      ['bob', 'from-b'],
    ] as const) {
      expect(sealedFile(at.contest, name, 'told', 3)).toContain(text)
      expect(sealedFile(at.contest, name, 'told', 3)).not.toContain(text === 'from-a' ? 'from-b' : 'from-a')
    }
    expect((await at.run('report')).code).toBe(0)
    await at.run('prune')
    const left = (file: string): boolean => existsSync(path.join(at.contest, 'consultations', file))
    expect(['1/alice/reviewers', '1/alice/REVIEWS.md', '3/alice/reviewers/mild'].map(left)).toEqual([false, true, true])
  })

  it('a reviewer that writes nothing, a link or too much is reported, and nothing is refined', async () => {
    using at = makeContestStage(
      who,
      { alice: works('from-a') },
      {
        silent: 'true',
        linked: 'ln -s /etc/passwd /contest/outbox/review.md',
        large: 'head -c 200000 /dev/zero > /contest/outbox/review.md',
      },
    )
    await at.run('run')
    const consulted = await at.run('consult', '--refine')
    expect(consulted).toMatchObject({ code: 1, stdout: expect.stringContaining('alice  0 of 3 reviews') })
    expect(consulted.stderr).toMatch(/silent wrote no review: review\.md is missing/)
    expect(consulted.stderr).toMatch(/linked wrote no review: review\.md is not a file/)
    expect(consulted.stderr).toMatch(/large wrote no review: review\.md is too large/)
    expect(existsSync(path.join(at.contest, 'rounds/2'))).toBe(false)
    expect(await at.run('consult', 'alcie')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean alice?') })
    expect(await at.run('consult', '--reviewers', 'a=cladue')).toMatchObject({ code: 2, stderr: expect.stringContaining('cladue') })
    expect(await at.run('consult', '--reviewers', 'a=claude,a=codex')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('used twice'),
    })
  })
})
