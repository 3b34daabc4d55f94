import { allNodes, type CommandNode } from './tree.ts'

/** Returns the manual pages (man(7)), by file name: `paddock.1`, and one for each top-level command with all its subcommands. */
export function manualPages(tree: CommandNode, version: string): ReadonlyMap<string, string> {
  const pages = new Map([['paddock.1', mainPage(tree, version)]])
  for (const command of tree.commands) pages.set(`paddock-${command.name}.1`, commandPage(command, version))
  return pages
}

function mainPage(tree: CommandNode, version: string): string {
  return page('PADDOCK', version, [
    section('NAME'),
    `paddock \\- ${text(lower(tree.summary))}`,
    section('SYNOPSIS'),
    '.B paddock\n.I command\n[\\fIoptions\\fR]',
    section('COMMANDS'),
    ...tree.commands.map(({ name, summary }) => `.TP\n.BR paddock\\-${text(name)} (1)\n${text(summary)}`),
    ...ending(['paddock-run', 'paddock-contest', 'paddock-serve']),
  ])
}

function commandPage(command: CommandNode, version: string): string {
  const nodes = allNodes(command).filter((each) => each.commands.length === 0 || each.options.length > 0)
  const isOne = nodes.length === 1
  return page(`PADDOCK-${command.name.toUpperCase()}`, version, [
    section('NAME'),
    `paddock\\-${text(command.name)} \\- ${text(lower(command.summary))}`,
    section('SYNOPSIS'),
    ...nodes.map((each) => `.B paddock ${text(each.path)}\n${text(each.usage)}\n.br`),
    section(isOne ? 'OPTIONS' : 'COMMANDS'),
    ...nodes.flatMap((each) => [...(isOne ? [] : [`.SS paddock ${text(each.path)}`, text(`${upper(each.summary)}.`)]), ...details(each)]),
    ...ending(['paddock']),
  ])
}

function details({ arguments: words, options }: CommandNode): string[] {
  return [
    ...words.filter(({ about }) => about !== '').map(({ name, about }) => `.TP\n.I ${text(name)}\n${text(about)}`),
    ...options.map(({ flags, about, byDefault }) => {
      const means = byDefault === null ? about : `${about} (by default: ${byDefault})`
      return `.TP\n.B ${text(flags)}\n${text(means)}`
    }),
  ]
}

function ending(others: readonly string[]): string[] {
  return [
    section('EXIT STATUS'),
    '0: done. 1: the answer is no. 2: bad input. 124: a limit of time. 125: Paddock could not. 126, 127: the program could not be run or found. 130: cancelled. A program that ran in a cell gives its own.',
    section('SEE ALSO'),
    others.map((each) => `.BR ${text(each)} (1)`).join('\n'),
  ]
}

function page(title: string, version: string, parts: readonly string[]): string {
  return `.TH ${title} 1 "" "paddock ${version}" "Paddock"\n${parts.join('\n')}\n`
}

const section = (name: string): string => `.SH ${name}`
const lower = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`
const upper = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`

/** Returns text in which roff reads no request or escape (groff(7)). */
function text(value: string): string {
  return value
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', "'")
    .replace(/[^\x20-\x7e]/gu, (each) => `\\[u${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^(?=[.'])/, '\\&')
}
