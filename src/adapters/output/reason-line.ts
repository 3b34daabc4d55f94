import { lastLine } from './output-lines.ts'

/**
 * Lines that runtimes print after the message of a crash: frames, the properties of an error, and notes of Node, Rust, Go, PHP and shells.
 * `what():` of C++ is the message.
 */
const afterMessage =
  /^(?:\s*|(?!\s+what\(\))\s+.*|[}\])]+|Node\.js v\S+|Require stack:|- \/.*|note: run with `RUST_BACKTRACE.*|stack backtrace:|Stack trace:|#\d+ .*|exit status \d+|\[signal .*|\(core dumped\)|Aborted.*)$/
/** Frames of Go, which are not indented. */
const goFrame = /^(?:goroutine \d+ .*|created by .*|[\w./*()-]+\(.*\))$/
const mostCharacters = 65_536

/** Returns the lines of standard error up to the message of a crash; all of them if nothing is left. */
export function withoutFrames(stderr: string): readonly string[] {
  const lines = stderr.slice(-mostCharacters).split(/\r?\n/)
  const isGo = lines.some((line) => /^goroutine \d+ \[/.test(line))
  const end = lines.findLastIndex((line) => !afterMessage.test(line) && !(isGo && goFrame.test(line)))
  return end === -1 ? lines : lines.slice(0, end + 1)
}

/** Returns the line of standard error that says why a program failed: its last one, without what a runtime prints after a crash. */
export function reasonLine(stderr: string): string {
  return lastLine(withoutFrames(stderr).join('\n'))
}
