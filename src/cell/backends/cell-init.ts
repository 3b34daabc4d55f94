import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { requireHostProgram, systemDirectories } from '../../system/host-program.ts'
import type { CellPlan } from '../plan/plan.ts'
import { saysBuilt } from './launcher.ts'
import { compileInitFilter, isFiltered } from './seccomp/compile.ts'

/** The source of a Perl program. It is passed as text, because a cell cannot see Paddock's files. */
const program = new URL('./init.pl', import.meta.url)

/** The init of a cell, which becomes its first program and waits at the gate for the host. */
export interface CellInit {
  /** A script that starts Perl, with arguments, which precede the command of the init. Perl loads while the last mounts are made. */
  readonly words: readonly string[]
  /** The variables of the plan that only the command gets: with them, files that an agent wrote could be loaded into the init. */
  readonly withheld: readonly string[]
}

/**
 * Returns the init for a cell. Null if the cell has no filter that needs it. A sandbox inside
 * the cell has other views of the files, in which the init could not find what a program names.
 */
export function cellInit(
  plan: Pick<CellPlan, 'env' | 'degraded'>,
  perl: string,
  architecture: string,
  { agentStderr, start }: { readonly agentStderr: number; readonly start: number },
): CellInit | null {
  if (!isFiltered(architecture) || plan.degraded.includes('nested-sandbox')) return null
  const withheld = Object.keys(plan.env).filter((each) => /^(?:LD_|GLIBC_TUNABLES$|PERL)/.test(each))
  const filter = Buffer.from(compileInitFilter(architecture)).toString('hex')
  const given = withheld.map((each) => `${each}=${plan.env[each]}`)
  // -t: ignores PERL5OPT from the agent's environment. PERL_BADLANG: no warnings about its LANG.
  const words = [perl, '-t', '-e', readFileSync(program, 'utf8'), '--', architecture, `${start}`, `${agentStderr}`, filter, ...given, '--']
  return { words: ['/bin/sh', '-c', `${saysBuilt}; export PERL_BADLANG=0; exec "$@"`, 'sh', ...words], withheld }
}

/**
 * Returns the path of Perl, which a cell has too.
 * @throws PaddockError `UNENFORCEABLE` if Perl is not installed for the whole machine
 */
export function systemPerl(searchPath: string): string {
  const perl = requireHostProgram('perl', searchPath, 'to build cells')
  if (systemDirectories.includes(path.dirname(perl))) return perl
  throw new PaddockError('UNENFORCEABLE', `${perl} is not in a directory of the system, so a cell does not see it.`, {
    hint: 'Install Perl for the whole machine; cells need it',
  })
}
