import { readFileSync } from 'node:fs'
import path from 'node:path'

export const example = path.join(import.meta.dirname, '../../examples/three-clis')
const reference = readFileSync(path.join(example, 'checks/reference.mjs'), 'utf8').replace('export function', 'function')

const right = `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
${reference}
const { stdout, stderr, code } = expected(readFileSync(0, 'utf8'))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = code
`

/** The submission of each agent for examples/three-clis, and the checks that it passes. */
export const solutions: Readonly<Record<string, { readonly semsort: string; readonly passes: readonly string[] }>> = {
  claude: { semsort: right, passes: ['order', 'numbers', 'stable', 'invalid', 'large'] },
  codex: {
    semsort: right.replace(/const numbers = .*/, 'const numbers = (a, b) => Number(a) - Number(b)'),
    passes: ['order', 'stable', 'invalid', 'large'],
  },
  gemini: { semsort: '#!/bin/sh\nexec sort -V\n', passes: ['numbers'] },
  opencode: { semsort: right.replace(/process\.stderr.*\n/, '').replace('= code', '= 0'), passes: ['order', 'numbers', 'stable', 'large'] },
}

/** Returns a shell line that submits it. */
export function handIn(agent: string): string {
  return `cat > semsort <<'THE_END'\n${solutions[agent]?.semsort}THE_END\nchmod +x semsort\necho 'Tried with raw/versions.txt.' > NOTES.md`
}

/** Returns the scores of a judge that has read a submission, by the dimensions of the example's rubric. */
export function opinionOf(semsort: string): Readonly<Record<string, number>> {
  const correctness = semsort.includes('sort -V') ? 1 : semsort.includes('Number(') ? 7 : semsort.includes('stderr.write') ? 9.5 : 5
  return { correctness, clarity: 7, economy: semsort.length < 100 ? 9 : 6 }
}
