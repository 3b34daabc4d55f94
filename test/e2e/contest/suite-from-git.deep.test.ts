import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, startPaddock } from '../../support/cli.ts'
import { nodeFiles, pastRepository } from '../../support/past-repository.ts'

describe.each(everyone)('paddock suite from-git, as %s', (who) => {
  test('the command continues after kill -9, and names every commit that it leaves out', { timeout: 300_000 }, async () => {
    using stage = makeStage(who)
    const repository = pastRepository(stage.project)
    repository.commit('Begin', nodeFiles.before)
    repository.commit('Fix the sum of nothing', nodeFiles.after)
    repository.commit('Break it', nodeFiles.before)
    repository.commit('Fix it again', nodeFiles.after)
    const suite = path.join(stage.root, 'paddock/suite')
    stage.own()
    const given = ['suite', 'from-git', stage.project, suite, '--parallel', '1', '--repeats', '2']
    const child = startPaddock(stage, given, {})
    const gone = once(child, 'exit')
    let said = ''
    for await (const chunk of child.stderr ?? []) {
      said += String(chunk)
      if (said.includes('is fix-it-again-')) break
    }
    child.kill('SIGKILL')
    expect(await gone).toEqual([null, 'SIGKILL'])
    const [first] = readdirSync(path.join(suite, 'briefs')).filter((each) => !each.startsWith('.'))
    expect(first).toMatch(/^fix-it-again-/)
    const again = await paddock(stage, [...given, '--json'])
    expect(again.code, again.stderr).toBe(0)
    const { commits, notes } = JSON.parse(again.stdout) as {
      commits: readonly { subject: string; brief: string | null; reason: string | null; tests: unknown }[]
      notes: readonly string[]
    }
    expect(commits.map(({ subject, brief, reason, tests }) => [subject, brief !== null, reason, tests])).toEqual([
      ['Fix it again', true, null, null],
      ['Break it', false, 'no test fails before it and passes after it', null],
      ['Fix the sum of nothing', true, null, { fixed: 1, kept: 2 }],
      ['Begin', false, 'it is the first commit', null],
    ])
    expect(notes.join('\n')).toMatch(/weaker[\s\S]*models may know the fixes/)
    expect(readdirSync(path.join(suite, 'briefs')).filter((each) => each.startsWith('.'))).toEqual([])
    expect(existsSync(path.join(suite, 'suite.yaml'))).toBe(true)
    const lint = await paddock(stage, ['suite', 'lint', '--try', suite, '--quiet'])
    expect([lint.code, lint.stdout]).toEqual([0, expect.stringMatching(/BRIEF\.md: has only \d+ words[\s\S]*no problem found in 2 briefs/)])
  })

  test('options that do not go together are refused, and a repository without fixes makes no suite', async () => {
    using stage = makeStage(who)
    const suite = path.join(stage.root, 'paddock/suite')
    stage.own()
    const refused = async (...more: readonly string[]): Promise<string> => {
      const { code, stderr } = await paddock(stage, ['suite', 'from-git', stage.project, suite, ...more])
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused()).toContain('suite from-git needs a git repository')
    expect(existsSync(suite)).toBe(false)
    expect(await refused('--test', 'make check')).toContain('--test requires --junit.')
    expect(await refused('--junit', 'a.xml')).toContain('--junit requires --test.')
    expect(await refused('--test', 'make check', '--junit', '../a.xml')).toContain('--junit must be a path in the repository')
    expect(await refused('--repeats', '6')).toContain('--repeats 6 is more than 5.')
    pastRepository(stage.project).commit('Begin', nodeFiles.before)
    stage.own()
    const none = await paddock(stage, ['suite', 'from-git', stage.project, suite])
    expect([none.code, none.stdout]).toEqual([
      1,
      expect.stringMatching(/left out: [0-9a-f]{8} Begin: it is the first commit\n0 of 1 commits are briefs/),
    ])
    expect(existsSync(path.join(suite, 'suite.yaml'))).toBe(false)
  })
})
