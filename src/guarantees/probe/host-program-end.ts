import { run } from '../../system/start-program.ts'

/** The end of a host program. `status`: its exit status, or null after a signal. */
export interface HostProgramEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a host program to its end, without input. Other probes go on meanwhile, and so do the watches of their cells. */
export async function endOfProgram(program: string, args: readonly string[], options: Options): Promise<HostProgramEnd> {
  try {
    return { status: 0, ...(await outputOfProgram(program, args, options)) }
  } catch (error) {
    const { code, stdout = '', stderr = String(error) } = error as { code?: unknown; stdout?: string; stderr?: string }
    return { status: typeof code === 'number' ? code : null, stdout, stderr }
  }
}

/** The same for a program that has to succeed. @throws Error with the command and what it printed */
export function outputOfProgram(
  program: string,
  args: readonly string[],
  options: Options,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const ended = run(program, args, { ...options, encoding: 'utf8' })
  ended.child.stdin?.end()
  return ended
}
