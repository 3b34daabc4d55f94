import type { Command, Option } from 'commander'
import { code, heading, table } from './markdown.ts'
import { resultFields } from './results.ts'

/** Returns every command with its arguments and options, as in `--help`. */
export function cliPage(program: Command): string {
  const pages = leaves(program, program.name()).map(({ command, name }) => section(command, name))
  return [
    heading('Commands', 'src/cli/program.ts'),
    `${program.description()} All commands take \`--help\`; \`paddock --version\` prints the version.\n`,
    ...pages,
    'See [exit codes](exit-codes.md), and the guides to [run](../guide/run.md), [contests](../guide/contests.md) and [fleets](../guide/fleet.md).\n',
  ].join('\n')
}

interface Leaf {
  readonly command: Command
  readonly name: string
}

function leaves(command: Command, name: string): readonly Leaf[] {
  if (command.commands.length === 0) return [{ command, name }]
  // Only commands that help shows: others are started by Paddock itself.
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => command.commands.includes(each))
  return shown.flatMap((each) => leaves(each, `${name} ${each.name()}`))
}

function section(command: Command, name: string): string {
  const about = command.summary() || command.description()
  const usage = command.usage()
  const words = command.registeredArguments.filter((each) => each.description !== '')
  const parts = [`## ${name}\n`, `${about.charAt(0).toUpperCase()}${about.slice(1)}.\n`, `\`\`\`\n${name} ${usage}\n\`\`\`\n`]
  if (words.length > 0)
    parts.push(
      table(
        ['argument', 'meaning', 'default'],
        words.map((each) => [code(each.name()), each.description, shownDefault(each.defaultValue)]),
      ),
    )
  if (command.options.length > 0)
    parts.push(
      table(
        ['option', 'meaning', 'default'],
        command.options.map((each) => [code(each.flags), each.description, defaultOf(each)]),
      ),
    )
  const fields = resultFields(name.replace(/^paddock /, ''))
  if (fields !== null) parts.push(fields)
  return parts.join('\n')
}

function defaultOf(option: Option): string {
  return option.negate ? '' : shownDefault(option.defaultValue)
}

function shownDefault(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '' : code(String(value))
}
