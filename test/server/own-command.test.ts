import { expect, test } from 'vitest'
import { ownCommand } from '../../src/server/own-command.ts'

/** Returns a program that runs this code with its arguments. */
const program = (code: string): readonly string[] => [process.execPath, '-e', code, '--']

test('a command is run with its arguments, and its answer has the schema of the command', async () => {
  const echo = program("console.log(JSON.stringify({ schemaVersion: 1, removed: process.argv.slice(1).join(' ') }))")
  expect((await ownCommand(echo, process.env)('vault rm', ['--', 'a b'])).removed).toBe('vault rm --json -- a b')
  const lines = ownCommand(program('console.log("{}")'), process.env)
  await expect(lines('audit tail', [], { lines: true })).rejects.toMatchObject({ code: 'CELL_FAILED' })
})

test('an answer of another form, as after an update, is an error that says to restart the server', async () => {
  const other = ownCommand(program("console.log(JSON.stringify({ schemaVersion: 2, removed: 'x' }))"), process.env)
  await expect(other('vault rm')).rejects.toMatchObject({
    code: 'CELL_FAILED',
    message: 'The answer of paddock vault rm is not one that this server can read.',
    hint: 'If Paddock was updated, restart the server',
  })
})
