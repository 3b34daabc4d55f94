import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type JudgeTask, judgePrompt, judgePromptVersion, repairPrompt } from '../../../src/contest/run/prompts.ts'

const dimensions = [{ id: 'quality', weight: 1, description: 'How good it is.' }]
const task: JudgeTask = {
  mode: 'rubric',
  rubric: { scale: { min: 0, max: 10 }, dimensions },
  labels: ['B', 'A'],
  someRenamed: true,
  repeatsScores: true,
  hasJudgeBrief: true,
  hasRaw: true,
  hasChanges: true,
}

// judge.json notes the version, so a prompt that says something else has another one.
test('what judges are told changes with its version', () => {
  const all = [judgePrompt(task), judgePrompt({ ...task, mode: 'pairwise' }), repairPrompt(task, 'it was late')]
  expect({ version: judgePromptVersion, texts: all.map((each) => hash('sha256', each).slice(0, 16)) }).toEqual({
    version: 5,
    texts: ['b2679604bff57f95', 'd88ff46d9df073b1', 'fa5e78629afba5e9'],
  })
})
