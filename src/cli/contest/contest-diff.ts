import { diffTrees, type FileDiff } from '../../contest/diff/diff.ts'
import { exitCodes, redact } from '../../errors.ts'
import { formatSize } from '../../quantities.ts'
import { printable, printableName } from '../../text.ts'
import { printJson } from '../terminal/output.ts'

interface DiffOptions {
  readonly json?: boolean
  readonly stat?: boolean
}

/** `paddock contest diff`: a unified diff to standard output. What agents wrote is printed as text, and never moves a cursor. */
export async function contestDiff(directory: string, a: string, b: string, options: DiffOptions): Promise<number> {
  return await diffTrees(directory, a, b, async ({ files, ...names }) => {
    const out = (line: string): boolean => process.stdout.write(`${printable(redact(line))}\n`)
    const shown: unknown[] = []
    let [count, added, removed] = [0, 0, 0]
    for await (const file of files) {
      count += 1
      added += file.added ?? 0
      removed += file.removed ?? 0
      if (options.json === true) shown.push(asJson(file, options.stat !== true))
      else if (options.stat === true) out(statOf(file))
      else for (const line of linesOf(file, names)) out(line)
    }
    if (options.json === true) printJson({ schemaVersion: 1, ...names, added, removed, files: shown })
    else if (count === 0) out(`${names.a} and ${names.b} are the same`)
    else if (options.stat === true) out(`${count} ${count === 1 ? 'file differs' : 'files differ'}, +${added} -${removed}`)
    return exitCodes.done
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

function asJson(file: FileDiff, withLines: boolean): unknown {
  const { lines, path, ...rest } = file
  const text = lines.map(({ sign, text }) => (sign === '@' ? `@@ ${text} @@` : sign === 'end' ? `\\ ${text}` : `${sign}${text}`)).join('\n')
  return { path: redact(path), ...rest, ...(withLines && file.content === 'text' ? { diff: redact(text) } : {}) }
}
