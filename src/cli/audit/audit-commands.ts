import type { Command } from 'commander'
import { exportFormats } from '../../audit/export-formats.ts'
import { answerScopes } from '../../egress/approvals/answer-scopes.ts'
import { choice } from '../choice.ts'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock approvals` and `paddock audit`. */
export function addAuditCommands(program: Command): void {
  const list = async () => (await import('./approvals-command.ts')).approvalsList
  const approvals = program
    .command('approvals')
    .summary('list and answer the questions of cells')
    .option(...jsonOption)
    .action(answering<'approvals list'>(list))
  approvals
    .command('list')
    .summary('list the open questions')
    .option(...jsonOption)
    .action(answering<'approvals list'>(list))
  for (const [name, allowed] of [
    ['allow', true],
    ['deny', false],
  ] as const) {
    approvals
      .command(name)
      .summary(allowed ? 'answer a question with yes' : 'answer a question with no')
      .argument('<id>', 'the question')
      .addOption(choice('--for <scope>', 'answer once, for this cell, or always for every cell', answerScopes, 'once'))
      .option(...jsonOption)
      .action(
        answering<'approvals allow'>(async () => {
          const { approvalsAnswer } = await import('./approvals-command.ts')
          return (id: string, options: Parameters<typeof approvalsAnswer>[2]) => approvalsAnswer(id, allowed, options)
        }),
      )
  }

  const audit = program.command('audit').summary('read the log of what cells did, which no cell can reach')

  audit
    .command('tail')
    .summary('print the newest lines of the log')
    .option('-n <number>', 'print this many lines', '20')
    .option('-f, --follow', 'keep printing new lines')
    .option('--cell <id>', 'print only lines of these cells (comma-separated starts of ids)')
    .option('--kind <kind>', 'print only these kinds: egress.deny, or egress for all of its kinds')
    .option('--actor <name>', 'print only what this token or session caused; user is you')
    .option('--host <text>', 'print only lines about hosts whose name contains this')
    .option('--from <time>', 'print only lines since this time, such as 2027-01-31T12:00:00Z')
    .option('--after <number>', 'print only lines with a higher number')
    .option('--before <number>', 'print only lines with a lower number')
    .option('--json', 'print one JSON object per line')
    .action(async (options) => {
      const { auditTail } = await import('./audit-tail.ts')
      process.exitCode = await auditTail(options)
    })

  audit
    .command('show')
    .summary('print all lines of the log about one cell')
    .argument('<cell>', 'its id, or the start of it')
    .option(...jsonOption)
    .action(answering<'audit show'>(async () => (await import('./audit-command.ts')).auditShow, 'reading the log'))

  audit
    .command('verify')
    .summary("check the log's hash chain; exits 1 if it was changed")
    .option('--head <hash>', 'check that the log contains the line with this hash, saved elsewhere')
    .option(...jsonOption)
    .action(answering<'audit verify'>(async () => (await import('./audit-command.ts')).auditVerify, 'checking the log'))

  audit
    .command('export')
    .summary('check the log and print its events for other programs')
    .addOption(choice('--format <format>', 'print lines of the log, or OCSF events', exportFormats, 'jsonl'))
    .option('--from <time>', 'export only lines since this time, such as 2027-01-31T12:00:00Z')
    .option('--output <file>', 'write the events to this file instead of printing them')
    .option(...jsonOption)
    .action(async (options, command) => {
      const { auditExport, printExport } = await import('./audit-export.ts')
      if (options.output === undefined) process.exitCode = await printExport(options)
      else await answering<'audit export'>(async () => auditExport, 'exporting the log')(options, command)
    })
}
