import type { ChildProcess } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { type Stage, startPaddock } from './cli.ts'

/** Starts a command that keeps running while the test looks at it. It is killed at the end of the test. */
export function going(stage: Stage, args: readonly string[], env: Record<string, string> = {}) {
  const child = startPaddock(stage, args, { env })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const says = async (text: string): Promise<void> => {
    for (let tries = 0; tries < 1_200 && !stdout.includes(text); tries++) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended without "${text}": ${stdout}${stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    expect(stdout).toContain(text)
  }
  return { child, ended, says }
}

/** Kills a process and waits for its exit. */
export async function killed({ child, ended }: { child: ChildProcess; ended: Promise<unknown> }): Promise<void> {
  child.kill('SIGKILL')
  await ended
}
