import { fileURLToPath } from 'node:url'
import { spawn } from '../../system/start.ts'
import type { KeptMount, MountEvents } from '../backend.ts'

/** Milliseconds from the first end of a cell's processes to the end of the cell. */
const endingMs = 2000

const program = fileURLToPath(new URL('./keep-mounts.pl', import.meta.url))

/**
 * Makes links mount points in a cell that has not started. mount(2) would follow them. Resolves when that was tried; `verifyMounts` finds out
 * whether it was done.
 */
export async function mountLinks(perl: string, init: number, targets: readonly string[]): Promise<void> {
  if (targets.length === 0) return
  const child = spawn(perl, ['-t', program, String(init)], { stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: {} })
  child.stdin.on('error', () => undefined)
  // It ends with its input.
  child.stdin.end(listOf(targets.map((target) => ({ target, access: 'ro' }))))
  await new Promise<void>((resolve) => child.once('error', () => resolve()).once('close', () => resolve()))
}

/**
 * Renews these mounts in a cell whenever a program of the host removes or replaces their paths (`keep-mounts.pl`). `lost` is called with the
 * first path if the renewal itself fails. Returns a function that ends it.
 */
export function keepMounts(perl: string, init: number, mounts: readonly KeptMount[], { renewed, lost }: MountEvents): () => void {
  // In a new session, because signals of the user's terminal must not end it before the cell.
  const child = spawn(perl, ['-t', program, String(init)], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} })
  child.unref()
  let ended = false
  let text = ''
  // It also ends, with various errors, if the cell is ending at this moment. Then the caller ends the watch soon.
  const onEnd = (): void => {
    setTimeout(() => {
      if (!ended) lost(mounts[0]?.target ?? '')
      ended = true
    }, endingMs).unref()
  }
  child.once('error', onEnd)
  child.once('close', onEnd)
  child.stdin.on('error', () => undefined)
  child.stdin.write(listOf(mounts))
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const lines = text.split('\0')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const [, what, path = ''] = /^(renewed|lost) (.*)$/s.exec(line) ?? []
      if (ended || what === undefined) continue
      if (what === 'renewed') renewed(path)
      else lost(path)
    }
  })
  return () => {
    ended = true
    child.stdin.end()
  }
}

/** Returns the input of the program. */
function listOf(mounts: readonly KeptMount[]): string {
  return `${mounts.map((each) => `${each.access} ${each.target}\0`).join('')}\0`
}
