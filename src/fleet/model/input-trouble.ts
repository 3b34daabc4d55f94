import type * as z from 'zod'
import { issueWords, valueAt } from '../../config/issue-words.ts'
import { keyText } from '../../config/key-path.ts'
import { headAndTail } from './runner/runner-output.ts'

/** Returns why a tool was not called with an input, as a sentence for the agent that called it. */
export function inputTrouble(tool: string, input: unknown, error: z.core.$ZodError): string {
  const faults = error.issues.map((issue) => {
    const path = issue.path.map((each) => (typeof each === 'symbol' ? String(each) : each))
    return `${path.length === 0 ? 'its arguments' : keyText(path)} ${issueWords(issue, valueAt(input, path))}`
  })
  return notCalled(tool, faults.join('; '))
}

/** Returns the sentence for a tool that was not called, shortened like the output of a tool. */
export function notCalled(tool: string, why: string): string {
  return headAndTail(`${tool} was not called: ${why}.`)
}
