import { expect, test } from 'vitest'
import { allNodes, commandTree } from '../../src/cli/completion/tree.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { sharedDeps } from '../../src/config/request/shared-deps.ts'
import { answerScopes } from '../../src/egress/approvals/answer-scopes.ts'
import { egressModes } from '../../src/egress/policy/egress-policy.ts'
import { jobStates } from '../../src/fleet/jobs/job.ts'
import { roles } from '../../src/fleet/store/token-store.ts'
import { usageGroups } from '../../src/fleet/store/usage-store.ts'

const nodes = allNodes(commandTree(await buildProgram()))
/** Matches help that does not start with a verb in the imperative. */
const noVerb = /^(?:the|a|an|all|what|whose|whether|how|as|no|not|in|of|its|names|valid|one|those|everything)\b/i
const short = (text: string): string => text.replace(/ \(repeatable\)$/, '')

test('help of an option begins with a verb, and has at most 70 characters', () => {
  const options = nodes.flatMap(({ path, options: own }) =>
    own.map(({ flags, about }) => ({ place: `${path} ${flags}`, about: short(about) })),
  )
  expect(options.length).toBeGreaterThan(300)
  expect(options.filter(({ about }) => about === '' || about.length > 70)).toEqual([])
  // A condition may come first: "with --commit: …".
  expect(options.filter(({ about }) => noVerb.test(about.replace(/^with [^:]+: /, '')))).toEqual([])
})

test('summaries of commands begin with a verb, and help has straight quotes', () => {
  const summaries = nodes.filter(({ path }) => path !== '')
  expect(summaries.filter(({ summary }) => summary === '' || summary.length > 90 || noVerb.test(summary)).map(({ path }) => path)).toEqual(
    [],
  )
  const texts = summaries.flatMap(({ summary, options, arguments: words }) => [
    summary,
    ...[...options, ...words].map(({ about }) => about),
  ])
  expect(texts.filter((each) => /[\u2018\u2019\u201c\u201d]|\.$/.test(each))).toEqual([])
})

test('an option with a few possible values offers the values of its schema, in help and completions', async () => {
  const program = await buildProgram()
  const valuesOf = (path: string, long: string) =>
    nodes.find((each) => each.path === path)?.options.find((each) => each.long === long)?.values
  expect([valuesOf('run', '--egress'), valuesOf('verify', '--egress')]).toEqual([egressModes, egressModes])
  expect([valuesOf('run', '--deps'), valuesOf('approvals allow', '--for')]).toEqual([sharedDeps, answerScopes])
  expect([valuesOf('job list', '--state'), valuesOf('usage', '--by')]).toEqual([jobStates, usageGroups])
  expect([valuesOf('token create', '--role'), valuesOf('open', '--role')]).toEqual([roles, roles.filter((each) => each !== 'borrower')])
  const list = program.commands.find((each) => each.name() === 'job')?.commands.find((each) => each.name() === 'list')
  for (const each of jobStates) expect(list?.helpInformation()).toContain(each)
})
