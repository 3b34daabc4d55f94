import type { Command } from 'commander'
import { adapterNames, vendorAdapters } from '../../adapters/find-adapter.ts'
import { presetNames } from '../../egress/policy/presets.ts'
import type { ValueKind } from './values.ts'

/** A command, with everything that completions and manual pages need. */
export interface CommandNode {
  /** The command path, such as `contest run`. Empty for paddock itself. */
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly arguments: readonly { readonly name: string; readonly about: string }[]
  readonly options: readonly OptionNode[]
  readonly commands: readonly CommandNode[]
  /** The possible values of the first argument. Empty if any value is accepted. */
  readonly words: readonly string[]
  /** The kind of values of its arguments that only this machine knows; null if there is none. */
  readonly kind: ValueKind | null
}

export interface OptionNode {
  /** The flags as help shows them: `-m, --message <text>`. */
  readonly flags: string
  readonly long: string | null
  readonly short: string | null
  readonly about: string
  readonly takesValue: boolean
  /** The possible values. Empty if any value is accepted. */
  readonly values: readonly string[]
  /** The default value as text; null if there is none. */
  readonly byDefault: string | null
}

const vendorNames = vendorAdapters.map(({ name }) => name)

/** The values of the first argument of some commands, by command path. */
const firstWords: Readonly<Record<string, readonly string[]>> = {
  run: adapterNames,
  login: adapterNames,
  acp: adapterNames,
  redteam: adapterNames,
  'shim install': vendorNames,
  'shim remove': vendorNames,
  completion: ['bash', 'zsh', 'fish'],
}

const kinds: Readonly<Record<string, ValueKind>> = {
  stop: 'cells',
  logs: 'cells',
  review: 'copies',
  apply: 'copies',
  discard: 'copies',
  'audit show': 'logged-cells',
  'attest make': 'ended-work',
}

/** Returns the kind of a command's arguments. */
function kindOf(command: Command, path: string): ValueKind | null {
  if (path.startsWith('contest ') && command.registeredArguments[0]?.description === 'the contest') return 'contests'
  return kinds[path] ?? null
}

/** Returns the tree of the commands that help shows. */
export function commandTree(command: Command, path = ''): CommandNode {
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => command.commands.includes(each))
  return {
    path,
    name: command.name(),
    summary: command.summary() || command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((each) => ({ name: each.name(), about: each.description })),
    options: command.options
      .filter((each) => !each.hidden)
      .map((each) => ({
        flags: each.flags,
        long: each.long ?? null,
        short: each.short ?? null,
        about: each.description,
        takesValue: each.required || each.optional,
        values: each.long === '--preset' ? presetNames : (each.argChoices ?? []),
        byDefault: each.negate || each.defaultValue === undefined || Array.isArray(each.defaultValue) ? null : String(each.defaultValue),
      })),
    commands: shown.map((each) => commandTree(each, path === '' ? each.name() : `${path} ${each.name()}`)),
    words: firstWords[path] ?? [],
    kind: kindOf(command, path),
  }
}

/** Returns a command and all its descendants. */
export function allNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allNodes)]
}

/** Returns what can follow a command: its subcommands or argument values, and its options. */
export function wordsAfter(node: CommandNode): { readonly word: string; readonly about: string }[] {
  const options = node.options.flatMap(({ long, short, about }) =>
    [long, short].filter((each) => each !== null).map((word) => ({ word, about })),
  )
  return [
    ...node.commands.map(({ name, summary }) => ({ word: name, about: summary })),
    ...node.words.map((word) => ({ word, about: '' })),
    ...options,
    { word: '--help', about: 'display help' },
  ]
}
