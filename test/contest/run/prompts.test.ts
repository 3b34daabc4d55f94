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

// judge.json records the version, so a changed prompt needs a new version.
test('the prompt of judges changes with its version', () => {
  const all = [judgePrompt(task), judgePrompt({ ...task, mode: 'pairwise' }), repairPrompt(task, 'it was late')]
  expect({ version: judgePromptVersion, texts: all.map((each) => hash('sha256', each).slice(0, 16)) }).toEqual({
    version: 7,
    texts: ['3c584d04f122a0bc', '5cb5cb110b1ce563', '652549dccee39d8d'],
  })
})
