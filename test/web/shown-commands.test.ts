import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { buildProgram } from '../../src/cli/program.ts'

const web = fileURLToPath(new URL('../../web', import.meta.url))

/** Returns the commands that pages show as ready to run, with a word for each value that they fill in. */
function shown(): readonly string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: web }).map((each) => readFileSync(`${web}/${each}`, 'utf8'))
  const patterns = [
    /"(paddock [a-z][^"\n]*)"/g,
    /'(paddock [a-z][^'\n]*)'/g,
    /`(paddock [a-z][^`\n]*)`/g,
    /<code>(paddock [a-z][^<]*)<\/code>/g,
  ]
  return files.flatMap((text) => patterns.flatMap((each) => [...text.matchAll(each)].map(([, command = '']) => command)))
}

const wordsOf = (command: string): readonly string[] =>
  [...command.replaceAll(/\$?\{[^}]+\}/g, 'x').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Returns the unknown and the missing parts of a Paddock command line. */
function faults(program: Command, [, ...words]: readonly string[]): readonly string[] {
  let command = program
  while (words[0] !== undefined) {
    const next = command.commands.find((each) => each.name() === words[0])
    if (next === undefined) break
    command = next
    words.shift()
  }
  if (command === program) return ['it is no command']
  const given = new Set<string>()
  const values: string[] = []
  const found: string[] = []
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '--help') return []
    const option = command.options.find((each) => each.long === word)
    if (option !== undefined) {
      given.add(word)
      if (option.required) words.shift()
    } else if (word.startsWith('-')) found.push(`no option ${word}`)
    else values.push(word)
  }
  const lacking = command.options.filter((each) => each.mandatory && !given.has(each.long ?? '')).map((each) => `without ${each.long}`)
  const [all, needed] = [command.registeredArguments, command.registeredArguments.filter((each) => each.required)]
  const fits = values.length >= needed.length && (values.length <= all.length || all.some((each) => each.variadic))
  return [...found, ...lacking, ...(fits ? [] : [`${values.length} arguments`])]
}

test('every command that a page shows is one of Paddock, with its options and arguments', async () => {
  const program = await buildProgram()
  const commands = shown()
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.flatMap((each) => faults(program, wordsOf(each)).map((fault) => `${each}: ${fault}`))).toEqual([])
})

test('a command that is wrong is found', async () => {
  const program = await buildProgram()
  const faultsIn = (command: string): readonly string[] => faults(program, wordsOf(command))
  expect(faultsIn("paddock schedule add x '0 7 * * *'")).not.toEqual([])
  expect(faultsIn('paddock lease create x NAME --for 7d')).toEqual([
    'no option --for',
    'without --name',
    'without --expires',
    '3 arguments',
  ])
  expect(faultsIn("paddock job run x 'What?'")).toEqual(['2 arguments'])
  expect(faultsIn('paddock job run x --prompt What')).toEqual([])
})
