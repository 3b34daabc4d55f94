import { exitCodes, PaddockError } from '../../base/errors.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { diagnose, diagnosisLines } from './machine-diagnosis.ts'

/** `paddock doctor`: reports what this machine can enforce. */
export async function doctorCommand(options: { readonly connect?: boolean; readonly yes?: boolean }): Promise<Answer<Result<'doctor'>>> {
  if (options.yes === true) throw new PaddockError('BAD_INPUT', '--yes requires --fix.', { hint: 'Run: paddock doctor --fix --yes' })
  const host = openCliHost()
  try {
    const { data } = await diagnose(host, options.connect === true ? 'connect' : 'look up')
    return { data, lines: diagnosisLines(data), exitCode: data.ok ? exitCodes.done : exitCodes.no }
  } finally {
    host[Symbol.dispose]()
  }
}
