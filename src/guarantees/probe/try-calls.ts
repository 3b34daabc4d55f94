import { readFileSync } from 'node:fs'
import { broken, type Finding, held, unenforceable } from '../guarantee.ts'
import type { ProbeBench } from './bench.ts'

/** One system call, with its numbers on x86-64 and arm64, and integers as arguments. */
export interface TriedCall {
  readonly name: string
  readonly x64: number | null
  readonly arm64: number | null
  readonly args?: readonly number[]
}

const program = new URL('./try-calls.pl', import.meta.url)
/** The numbers of EPERM, ENOSYS, EPROTONOSUPPORT, ESOCKTNOSUPPORT, ENOTSUP and EAFNOSUPPORT. */
const refused = new Set(['1', '38', '93', '94', '95', '97'])

/** Makes each call in a cell. The result is `held` if the kernel refuses all of them, whatever their arguments. */
export async function tryCalls(bench: ProbeBench, calls: readonly TriedCall[]): Promise<Finding> {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
  const made = calls.flatMap((each) =>
    each[architecture] === null ? [] : [[each.name, each[architecture], ...(each.args ?? [])].join(',')],
  )
  const { result } = await bench.inside(({ perl }, given) => perl(given.program, given.calls), {
    program: readFileSync(program, 'utf8'),
    calls: made.join(' '),
  })
  if (result === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
  const told = result.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  if (told.length !== made.length)
    return broken(`the probe ended after ${told.length} of ${made.length} calls (${result.code ?? 'by a signal'}): ${result.stderr.trim()}`)
  const passed = told.filter(([, answer]) => !refused.has(answer ?? ''))
  if (passed.length > 0)
    return broken(
      `the kernel accepted ${passed.map(([name, answer]) => `${name} (${answer === 'done' ? 'done' : `errno ${answer}`})`).join(', ')}`,
    )
  return held(`${made.length} calls refused: ${told.map(([name]) => name).join(', ')}`)
}
