/** A block of a document that shows commands, and the comments before it. */
export interface ConsoleBlock {
  /** The line number of its fence. */
  readonly line: number
  /** `console` has prompts and output; `sh` has only commands. */
  readonly form: 'console' | 'sh'
  readonly lines: readonly string[]
  /** The reason why it does not run; null if it runs. */
  readonly notRun: string | null
  /** The separate test that runs it; null: none. */
  readonly runBy: string | null
  /** The names of its setups. */
  readonly setups: readonly string[]
  /** Whether it starts in a new home and a new project. */
  readonly fresh: boolean
}

export interface BlocksOfPage {
  readonly blocks: readonly ConsoleBlock[]
  /** Problems of the page itself, each with its line number. */
  readonly problems: readonly string[]
}

interface Comment {
  readonly line: number
  readonly key: 'not run' | 'run by' | 'setup' | 'fresh stage'
  readonly value: string | null
}

const languages: ReadonlyMap<string, ConsoleBlock['form']> = new Map([
  ['console', 'console'],
  ['sh', 'sh'],
  ['bash', 'sh'],
  ['shell', 'sh'],
])

/**
 * Returns the blocks of a Markdown page that show commands: those in one of these languages, and those without a language that
 * contain a line with a command of Paddock. Comments directly before a block, one per line:
 *
 * - `<!-- not run: REASON -->`: the block is not run, for this reason;
 * - `<!-- run by: TEST -->`: another test runs it;
 * - `<!-- setup: NAME -->`: this setup runs first;
 * - `<!-- fresh stage -->`: it starts in a new home and a new project. Otherwise it continues after the blocks before it.
 */
export function consoleBlocks(page: string): BlocksOfPage {
  const lines = page.split('\n')
  const blocks: ConsoleBlock[] = []
  const problems: string[] = []
  let comments: Comment[] = []
  const unused = (): void => {
    for (const each of comments) problems.push(`line ${each.line}: no console block follows this comment`)
    comments = []
  }
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at] ?? ''
    const number = at + 1
    const fence = /^(`{3,}|~{3,}) *([\w-]*)/.exec(text)
    if (fence === null) {
      const comment = readComment(text, number)
      if (comment === null) unused()
      else if (typeof comment !== 'string') comments.push(comment)
      else {
        problems.push(comment)
        // Whatever the comment was meant to say, the block after it does not run.
        comments.push({ line: number, key: 'not run', value: 'the comment is wrong' })
      }
      if (/^(?: {4,}|\t)(?:\$ )?paddock [a-z]/.test(text)) problems.push(`line ${number}: put this command into a block with \`\`\`sh`)
      continue
    }
    const end = lines.findIndex((line, index) => index > at && line.startsWith(fence[1] ?? '') && line.trim() === fence[1])
    const content = lines.slice(at + 1, end === -1 ? lines.length : end)
    at = end === -1 ? lines.length : end
    const form = languages.get(fence[2] ?? '') ?? (fence[2] === '' ? formOf(content) : null)
    if (form === null) {
      unused()
      continue
    }
    const notRun = comments.find((each) => each.key === 'not run')?.value ?? null
    const runBy = comments.find((each) => each.key === 'run by')?.value ?? null
    const setups = comments.flatMap((each) => (each.key === 'setup' ? [each.value ?? ''] : []))
    const fresh = comments.some((each) => each.key === 'fresh stage')
    if ((notRun ?? runBy) !== null && (setups.length > 0 || fresh))
      problems.push(`line ${number}: a block that is not run here needs no setup`)
    blocks.push({ line: number, form, lines: content, notRun, runBy, setups, fresh })
    comments = []
  }
  unused()
  return { blocks, problems }
}

/** Returns the form of a block without a language, or null if it shows no command of Paddock. */
function formOf(content: readonly string[]): ConsoleBlock['form'] | null {
  if (content.some((line) => /^\$ /.test(line))) return 'console'
  return content.some((line) => /^paddock [a-z]/.test(line)) ? 'sh' : null
}

/** Returns the comment in a line, null if it is not one of these, or the problem with it. */
function readComment(text: string, line: number): Comment | string | null {
  const found = /^\s*<!--\s*(not run|run by|setup|fresh stage)\b/i.exec(text)
  if (found === null) return null
  const [, key, value] = /^<!-- (not run|run by|setup|fresh stage)(?:: (.*\S))? -->$/.exec(text) ?? []
  if ((key === 'not run' || key === 'run by') && value !== undefined) return { line, key, value }
  if (key === 'setup' && value !== undefined) return { line, key, value }
  if (key === 'fresh stage' && value === undefined) return { line, key, value: null }
  return `line ${line}: write <!-- not run: REASON -->, <!-- run by: TEST -->, <!-- setup: NAME --> or <!-- fresh stage -->`
}
