import { PaddockError } from '../src/base/errors.ts'
import { durationRule, parseDuration } from '../src/base/quantities.ts'

export const commandNames = ['run', 'contest', 'suite', 'compare', 'verify'] as const
export type CommandName = (typeof commandNames)[number]

/** What a workflow or pipeline asks for. */
export interface JobInputs {
  readonly command: CommandName
  /** The project of a run, the contest, or the suite. Relative to the checkout. */
  readonly directory: string
  /** Further arguments of the command. */
  readonly args: readonly string[]
  readonly prompt: string | null
  /** The earlier run of the suite, for `compare`. */
  readonly base: string | null
  readonly failIf: readonly string[]
  /** US dollars. */
  readonly budget: number | null
  readonly timeoutMs: number | null
  /** Where Paddock comes from: a directory, a URL, an archive for npm, a program, or `installed`. Null: the release of the action. */
  readonly from: string | null
  readonly fix: boolean
  readonly trust: boolean
  readonly forkCredentials: boolean
  /** The directory for the report; null: the default of the system. */
  readonly report: string | null
}

/** The inputs by name, as action.yml and templates/paddock.yml list them. */
export const inputNames = [
  'command',
  'directory',
  'args',
  'prompt',
  'base',
  'fail-if',
  'budget',
  'timeout',
  'from',
  'fix',
  'trust',
  'fork-credentials',
  'report',
] as const
type InputName = (typeof inputNames)[number]

/** Inputs that only some commands take. */
const takers: Partial<Record<InputName, readonly CommandName[]>> = {
  prompt: ['run'],
  base: ['compare'],
  'fail-if': ['compare'],
  budget: ['contest', 'suite', 'compare'],
  trust: ['run', 'contest', 'suite'],
}

/** Returns the inputs. Empty text is an input that was not given. @throws PaddockError BAD_INPUT */
export function jobInputs(read: (name: InputName) => string): JobInputs {
  const text = (name: InputName): string | null => read(name).trim() || null
  const command = commandNames.find((each) => each === (text('command') ?? 'run'))
  if (command === undefined) throw bad('command', `"${read('command')}" is not a command`, `Use one of ${commandNames.join(', ')}`)
  for (const [name, of] of Object.entries(takers) as [InputName, readonly CommandName[]][])
    if (!['', 'false'].includes(read(name).trim()) && !of.includes(command))
      throw bad(name, `the command ${command} does not take it`, `Leave it out, or use the command ${of.join(' or ')}`)
  const args = words(read('args'))
  if (command === 'run' && args.length === 0) throw bad('args', 'an agent or a command is missing', 'Set args to: -- npm test')
  if (command === 'compare' && text('base') === null) throw bad('base', 'the earlier run is missing', 'Name a suite, or DIRECTORY@1')
  return {
    command,
    directory: text('directory') ?? '.',
    args,
    prompt: text('prompt'),
    base: text('base'),
    failIf: lines(read('fail-if')),
    budget: money(text('budget')),
    timeoutMs: duration(text('timeout')),
    from: text('from'),
    fix: yes('fix', text('fix'), true),
    trust: yes('trust', text('trust'), false),
    forkCredentials: yes('fork-credentials', text('fork-credentials'), false),
    report: text('report'),
  }
}

function bad(name: string, what: string, hint: string): PaddockError {
  return new PaddockError('BAD_INPUT', `Input ${name}: ${what}.`, { hint })
}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')

function money(text: string | null): number | null {
  if (text === null) return null
  const value = Number(text)
  if (!(value > 0 && value <= 1e6)) throw bad('budget', `"${text}" is not a number of US dollars above 0`, 'Use a number such as 5')
  return value
}

function duration(text: string | null): number | null {
  if (text === null) return null
  const value = parseDuration(text)
  if (value === null || value === 0) throw bad('timeout', `"${text}" is not a duration`, `Use ${durationRule}`)
  return value
}

function yes(name: InputName, text: string | null, otherwise: boolean): boolean {
  if (text === null) return otherwise
  if (text === 'true' || text === 'false') return text === 'true'
  throw bad(name, `"${text}" is neither true nor false`, 'Use true or false')
}

/**
 * Returns words as a shell does: white space separates them, and '…', "…" and \ quote. Nothing is expanded.
 * @throws PaddockError BAD_INPUT
 */
export function words(text: string): readonly string[] {
  const found: string[] = []
  let word: string | null = null
  for (const [piece, single, double, escaped] of text.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|\s+|./gs)) {
    if (/^\s/.test(piece)) {
      if (word !== null) found.push(word)
      word = null
    } else if (/^(?:['"]|\\$)/.test(piece) && single === undefined && double === undefined) {
      throw bad('args', `${piece === '\\' ? 'a backslash at the end' : `the quote ${piece}`} is not complete`, 'Close each quote')
    } else word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`\n])/g, (_, each) => (each === '\n' ? '' : each)) ?? escaped ?? piece)
  }
  return word === null ? found : [...found, word]
}
