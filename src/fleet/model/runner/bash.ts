import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { HeadAndTail } from './runner-output.ts'

/** Milliseconds to read the output left in a pipe after the shell has ended. Background processes may keep the pipe open forever. */
const restMs = 100
/** The most rounds of searching for processes to kill, because new ones may be started during a search. */
const mostRounds = 100
/** The environment variable that marks the processes of one call. */
const mark = 'PADDOCK_CALL'

/** Runs a command in a new shell. Background processes continue, unless the command timed out. */
export async function bash({ command }: { readonly command: string }, call: string, signal: AbortSignal): Promise<string> {
  const output = new HeadAndTail()
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const child = spawn(shell, ['-c', command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [mark]: call },
  })
  child.stdout.on('data', (chunk: Buffer) => output.add(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.add(chunk))
  const killing = { done: Promise.resolve() }
  const kill = (): void => {
    killing.done = killTree(call, child)
  }
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  const how = await ended(child)
  signal.removeEventListener('abort', kill)
  await killing.done
  await Promise.race([new Promise((resolve) => child.once('close', resolve)), pause(restMs)])
  child.stdout.destroy()
  child.stderr.destroy()
  const text = output.text()
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${signal.aborted ? 'stopped: its time ended' : how}]`
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`it could not be started: ${error.message}`))
    child.once('exit', (code, killed) => resolve(code === null ? `ended by ${killed}` : `exit code ${code}`))
  })
}

/** Kills a call's process group, and every process that carries the call's mark: a process can leave its group and its parent. */
async function killTree(call: string, { pid }: ChildProcess): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const found = marked(call)
    if (round > 0 && found.length === 0) return
    if (pid !== undefined) end(-pid)
    for (const each of found) end(each)
    await pause(5)
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process is gone.
  }
}

function marked(call: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || name === String(process.pid)) return []
    try {
      const isIts = `\0${readFileSync(`/proc/${name}/environ`, 'latin1')}`.includes(`\0${mark}=${call}\0`)
      return isIts ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
