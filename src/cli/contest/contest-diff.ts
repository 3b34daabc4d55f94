import { redact } from '../../base/errors.ts'
import { formatSize } from '../../base/quantities.ts'
import { printableName } from '../../base/text.ts'
import { diffTrees, type FileDiff } from '../../contest/diff/diff.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

type FileResult = Result<'contest diff'>['files'][number]

interface DiffOptions {
  readonly json?: boolean
  readonly stat?: boolean
}

/** Maximum number of diff lines in one answer. Further files are listed without a diff. */
const mostLines = 500_000

/** `paddock contest diff`: prints a unified diff. Text from agents is made printable, so that it cannot move the cursor. */
export async function contestDiff(directory: string, a: string, b: string, options: DiffOptions): Promise<Answer<Result<'contest diff'>>> {
  return await diffTrees(directory, a, b, async ({ files, ...names }) => {
    const shown: FileResult[] = []
    const lines: string[] = []
    let [count, added, removed, room] = [0, 0, 0, mostLines]
    for await (const file of files) {
      count += 1
      added += file.added ?? 0
      removed += file.removed ?? 0
      room -= file.lines.length
      if (options.json === true) shown.push(dataOf(file, options.stat !== true && room >= 0))
      else if (options.stat === true || room < 0) lines.push(statOf(file))
      else lines.push(...linesOf(file, names))
    }
    if (count === 0) lines.push(`${names.a} and ${names.b} are the same`)
    else if (options.stat === true) lines.push(`${count} ${count === 1 ? 'file differs' : 'files differ'}, +${added} -${removed}`)
    return { data: { schemaVersion: 1, ...names, added, removed, files: shown }, lines: lines.map(redact) }
  })
}

function statOf(file: FileDiff): string {
  const what = file.content === 'text' ? `+${file.added} -${file.removed}` : describe(file)
  return `${file.kind.padEnd(8)}  ${printableName(file.path)}  ${what}`
}

function* linesOf(file: FileDiff, { a, b }: { readonly a: string; readonly b: string }): Generator<string> {
  const name = printableName(file.path)
  yield `diff ${a}/${name} ${b}/${name}`
  if (file.old !== null && file.now !== null && file.old.executable !== file.now.executable)
    yield file.now.executable ? 'now executable' : 'no longer executable'
  if (file.content !== 'text') {
    if (file.content !== 'same') yield describe(file)
    return
  }
  yield file.old === null ? '--- /dev/null' : `--- ${a}/${name}`
  yield file.now === null ? '+++ /dev/null' : `+++ ${b}/${name}`
  for (const { sign, text } of file.lines) yield sign === '@' ? `@@ ${text} @@` : sign === 'end' ? `\\ ${text}` : `${sign}${text}`
}

function describe({ content, old, now }: FileDiff): string {
  const size = (side: FileDiff['old']): string => (side === null ? 'missing' : formatSize(side.size))
  const sizes = `${size(old)} → ${size(now)}`
  if (content === 'same') return now?.executable === true ? 'now executable' : 'no longer executable'
  if (content === 'changed') return 'it is no longer what was sealed'
  return content === 'binary' ? `binary, ${sizes}` : `too large to be shown, ${sizes}`
}

function dataOf(file: FileDiff, withLines: boolean): FileResult {
  const { lines, path, ...rest } = file
  const text = lines.map(({ sign, text }) => (sign === '@' ? `@@ ${text} @@` : sign === 'end' ? `\\ ${text}` : `${sign}${text}`)).join('\n')
  return { path: redact(path), ...rest, ...(withLines && file.content === 'text' ? { diff: redact(text) } : {}) }
}
