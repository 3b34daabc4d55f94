import type { Command } from 'commander'
import { addContestCommands } from './contest/contest-commands.ts'
import { addCredentialCommands } from './credentials/credentials-commands.ts'
import { addLoginCommands } from './credentials/login-commands.ts'
import { addFleetCommands } from './fleet/fleet-commands.ts'
import { addProtocolCommands } from './protocols/protocol-commands.ts'
import { collect } from './repeatable.ts'
import { addSuiteCommands } from './suite/suite-commands.ts'
import { answering } from './terminal/answer.ts'
import { addVaultCommands } from './vault/vault-commands.ts'

/** Every command but `run` and those that Paddock gives itself. */
export function addOtherCommands(program: Command): void {
  program
    .command('review')
    .summary('what an agent made of a copy of the project (paddock run --copy)')
    .argument('[words...]', 'the id of a copy (the newest of this project when left out), and paths to look at')
    .option('--stat', 'only the names, and what is noteworthy of each')
    .option('--whole', 'whole files, not only the lines around what changed')
    .option('--list', 'the copies of all projects')
    .option('--json', 'as JSON')
    .action(answering<'review'>(async () => (await import('./copy/review.ts')).reviewCommand))

  program
    .command('apply')
    .summary('take the changes of a copy over into the project, all or some')
    .argument('[words...]', 'the id of a copy (the newest of this project when left out), and paths to take')
    .option('--run-later', 'also what runs, or is obeyed, on this machine later')
    .option('--allow-secrets', 'also what looks like a secret')
    .option('--commit', 'commit just these paths with your own git')
    .option('-m, --message <text>', 'the message of the commit')
    .option('--hooks', 'with --commit: run the hooks and other programs that the configuration of git names')
    .option('--keep', 'keep the copy also when all of it is in the project')
    .option('--json', 'as JSON')
    .action(answering<'apply'>(async () => (await import('./copy/apply.ts')).applyCommand))

  program
    .command('discard')
    .summary('delete a copy, and with it all that was done in it')
    .argument('[id]', 'the copy; the newest of this project when left out')
    .option('--json', 'as JSON')
    .action(answering<'discard'>(async () => (await import('./copy/discard.ts')).discardCommand))

  program
    .command('trust')
    .summary('agree to what the .paddock.yaml of this project asks for, as it is now')
    .option('--show', 'only say what it asks for')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { trustCommand } = await import('./config/trust.ts')
      process.exitCode = await trustCommand(options)
    })

  program
    .command('untrust')
    .summary('take that back')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { untrustCommand } = await import('./config/trust.ts')
      process.exitCode = await untrustCommand(options)
    })

  const config = program.command('config').summary('what is set for paddock run, and where')

  config
    .command('show')
    .summary('every value that counts in this directory')
    .option('--origin', 'where each comes from')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { configShow } = await import('./config/config.ts')
      process.exitCode = await configShow(options)
    })

  config
    .command('schema')
    .summary('the JSON Schema of config.yaml, or of a project’s .paddock.yaml')
    .argument('[file]', 'user or project', 'user')
    .action(async (which: string) => {
      const { configSchema } = await import('./config/config.ts')
      process.exitCode = configSchema(which)
    })

  program
    .command('doctor')
    .summary('what this machine can enforce, and how to get the rest')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { doctorCommand } = await import('./machine/doctor.ts')
      process.exitCode = await doctorCommand(options)
    })

  const approvals = program
    .command('approvals')
    .summary('what cells wait for your answer to')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { approvalsList } = await import('./audit/approvals.ts')
      process.exitCode = await approvalsList(options)
    })
  approvals
    .command('list')
    .summary('the open questions')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { approvalsList } = await import('./audit/approvals.ts')
      process.exitCode = await approvalsList({ ...approvals.opts(), ...options })
    })
  for (const [name, allowed] of [
    ['allow', true],
    ['deny', false],
  ] as const) {
    approvals
      .command(name)
      .summary(allowed ? 'answer a question with yes' : 'answer a question with no')
      .argument('<id>', 'the question')
      .option('--for <scope>', 'once; cell: every same question of this cell; always: of every cell from now on', 'once')
      .option('--json', 'as JSON')
      .action(async (id: string, options) => {
        const { approvalsAnswer } = await import('./audit/approvals.ts')
        process.exitCode = await approvalsAnswer(id, allowed, options)
      })
  }

  const audit = program.command('audit').summary('what cells did, in a log that none of them can reach')

  audit
    .command('tail')
    .summary('the newest lines')
    .option('-n <number>', 'how many', '20')
    .option('-f, --follow', 'go on with those that come')
    .option('--cell <id>', 'only of this cell; the beginning of its id is enough; several with commas')
    .option('--kind <kind>', 'only of this kind: egress.deny, or all of egress; several with commas')
    .option('--actor <name>', 'only what this token or session caused; user: you')
    .option('--host <text>', 'only about hosts whose name contains this')
    .option('--from <time>', 'only from this time on')
    .option('--after <number>', 'only lines with a higher number')
    .option('--before <number>', 'only lines with a lower number')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { auditTail } = await import('./audit/audit.ts')
      process.exitCode = await auditTail(options)
    })

  audit
    .command('show')
    .summary('the story of one cell')
    .argument('<cell>', 'its id, or the beginning of it')
    .option('--json', 'as JSON')
    .action(async (cell: string, options) => {
      const { auditShow } = await import('./audit/audit.ts')
      process.exitCode = await auditShow(cell, options)
    })

  audit
    .command('verify')
    .summary('whether the log is as it was written; exits 1 where it is not')
    .option('--head <hash>', 'it must hold the line of this hash, which you noted elsewhere')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { auditVerify } = await import('./audit/audit.ts')
      process.exitCode = await auditVerify(options)
    })

  program
    .command('verify')
    .summary('try to break every guarantee in real cells on this machine')
    .option('--posture <rung>', 'refuse to run unless cells here are on this rung, such as L2')
    .option('--backend <name>', 'what builds the cells: bubblewrap; on macOS seatbelt, which has not been run there')
    .option('--egress <policy>', 'off, allowlist, public or open (allowlist unless told)')
    .option('--only <guarantee>', 'this one alone (repeatable)', collect, [])
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { verifyCommand } = await import('./machine/verify.ts')
      process.exitCode = await verifyCommand(options)
    })

  program
    .command('redteam')
    .summary('let an agent, or any command, try to break out of a cell, and say what it reached')
    .usage('[options] <agent> [args…]   or   paddock redteam [options] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .passThroughOptions()
    .option('--model <name>', 'the model, as the agent names it')
    .option('--base-url <url>', 'a model endpoint in place of the vendor’s')
    .option('--egress <policy>', 'off, allowlist, public or open', 'allowlist')
    .option('--allow <host[:port][=address[:port]]>', 'let the cell reach this host; "=" pins it to an address (repeatable)', collect, [])
    .option('--preset <name>', 'let the cell reach the hosts of a preset (repeatable)', collect, [])
    .option('--ro <path>', 'show this path, read-only (repeatable)', collect, [])
    .option('--env <name[=value]>', 'pass a variable (repeatable)', collect, [])
    .option('--no-login', 'do not show the agent’s own login of this machine to it')
    .option('--timeout <duration>', 'end it after this time', '15m')
    .option('--memory <size>', 'memory of the whole cell, for example 4GiB')
    .option('--allow-degraded <name>', 'give up one named guarantee for this run: memory, nested-sandbox (repeatable)', collect, [])
    .option('--nested-sandbox', 'let the agent build a sandbox of its own in the cell')
    .option('--quiet', 'no lines of Paddock’s own while it runs')
    .option('--json', 'the report as JSON')
    .action(async (words: string[], options) => {
      const { redteamCommand } = await import('./machine/redteam.ts')
      process.exitCode = await redteamCommand(words, options)
    })

  program
    .command('completion')
    .summary('print a script that completes commands and options in a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', '\nFor example, in ~/.bashrc: eval "$(paddock completion bash)"')
    .action(async (shell: string) => {
      const { completionCommand } = await import('./completion/completion.ts')
      process.exitCode = completionCommand(shell, program)
    })

  addVaultCommands(program)
  addFleetCommands(program)
  addProtocolCommands(program)
  addContestCommands(program)
  addSuiteCommands(program)
  addCredentialCommands(program)
  addLoginCommands(program)
}
