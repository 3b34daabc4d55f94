import { type Command, Option } from 'commander'
import { backendNames } from '../../base/cell-place.ts'
import { egressModes } from '../../egress/policy/egress-policy.ts'
import { choice } from '../choice.ts'
import { jsonOption } from '../json-option.ts'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock doctor`, `paddock verify`, `paddock redteam` and `paddock clean`. */
export function addMachineCommands(program: Command): void {
  program
    .command('doctor')
    .summary('show what this machine can enforce, and how to get the rest')
    .option('--connect', 'also connect to the hosts of the presets that you use')
    .option('--fix', 'show the commands that get the rest, and run them after a yes')
    .option('--yes', 'with --fix: run the commands without a question')
    .option(...jsonOption)
    .action((...args) => {
      const isFix = (args[0] as { readonly fix?: boolean }).fix === true
      // A question in the terminal has no line about waiting.
      const fix = answering<'doctor'>(async () => (await import('./doctor-fix.ts')).doctorFixCommand)
      const look = answering<'doctor'>(async () => (await import('./doctor.ts')).doctorCommand, 'checking this machine')
      return (isFix ? fix : look)(...args)
    })

  program
    .command('verify')
    .summary('try to break every guarantee in real cells on this machine')
    .option('--posture <level>', 'try cells of this isolation level: L1 or L2 (default)')
    .addOption(choice('--backend <name>', 'try cells of this backend (default: auto)', backendNames))
    .addOption(choice('--egress <policy>', 'use this policy: off, allowlist, public or open', egressModes, 'allowlist'))
    .option('--only <guarantee>', 'try only this guarantee (repeatable)', collect, [])
    .addOption(
      new Option('--recorded', 'show what the last whole runs found here; start nothing').conflicts([
        'posture',
        'backend',
        'egress',
        'only',
      ]),
    )
    .option(...jsonOption)
    .action((...args) => {
      const isRecorded = (args[0] as { readonly recorded?: boolean }).recorded === true
      const recorded = answering<'verify --recorded'>(async () => (await import('./recorded-verify.ts')).recordedVerify)
      return (isRecorded ? recorded : answering<'verify'>(async () => (await import('./verify-command.ts')).verifyCommand))(...args)
    })

  program
    .command('redteam')
    .summary('let an agent, or any command, try to break out of a cell; report what it reached')
    .usage('[options] <agent> [args…]   or   paddock redteam [options] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .passThroughOptions()
    .option('--model <name>', 'use this model, as the agent names it')
    .option('--base-url <url>', "use this model endpoint instead of the vendor's")
    .addOption(choice('--egress <policy>', 'use this policy: off, allowlist, public or open', egressModes, 'allowlist'))
    .option('--allow <host[:port][=address[:port]]>', 'let the cell reach this host; = pins its address (repeatable)', collect, [])
    .option('--preset <name>', 'let the cell reach the hosts of a preset (repeatable)', collect, [])
    .option('--ro <path>', 'show this path to the cell, read-only (repeatable)', collect, [])
    .option('--env <name[=value]>', 'pass a variable to the cell (repeatable)', collect, [])
    .option('--no-login', 'do not give the agent its own login of this machine')
    .option('--timeout <duration>', 'stop the cell after this time', '15m')
    .option('--memory <size>', 'limit the memory of the whole cell, for example 4GiB')
    .option('--allow-degraded <name>', 'give up one guarantee: memory or nested-sandbox (repeatable)', collect, [])
    .option('--nested-sandbox', 'let the agent create its own sandbox in the cell')
    .option('--quiet', "print none of Paddock's own lines while it runs")
    .option('--json', 'print the report as JSON')
    .action(answering<'redteam'>(async () => (await import('./redteam-command.ts')).redteamCommand))

  program
    .command('clean')
    .summary('remove what cells and killed processes left behind')
    .option('--cells', 'only after runs that were killed')
    .option('--keep-credentials', 'keep copies of logins')
    .option('--volume <agent[/name]>', 'remove only this volume of paddock login, with its login (repeatable)', collect, [])
    .option('--dry-run', 'only print what would be removed')
    .option(...jsonOption)
    .action(answering<'clean'>(async () => (await import('./clean.ts')).cleanCommand, 'looking for leftovers'))
}
