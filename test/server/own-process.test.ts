import { expect, test } from 'vitest'
import { ownProcess } from '../../src/server/own-process.ts'

/** Returns a program that runs this code with its arguments. */
const program = (code: string): readonly string[] => [process.execPath, '-e', code, '--']

test('a command gets its input, and its JSON, its lines or its error come back', async () => {
  const echo = ownProcess(program("process.stdin.on('data', (data) => process.stdout.write(JSON.stringify(String(data))))"), process.env)
  expect(await echo([], { input: 'a\nb' })).toBe('a\nb')
  const lines = ownProcess(program('console.log("1"); console.log("[2]")'), process.env)
  expect(await lines([], { lines: true })).toEqual([1, [2]])
  expect(await ownProcess(program(''), process.env)([], { lines: true })).toEqual([])
  const error = { schemaVersion: 1, error: { code: 'VAULT_LOCKED', message: 'The vault is locked.', hint: 'unlock it' } }
  const fails = ownProcess(
    program(`console.error('paddock: on the way'); console.error(${JSON.stringify(JSON.stringify(error))}); process.exit(125)`),
    process.env,
  )
  await expect(fails([])).rejects.toMatchObject({ code: 'VAULT_LOCKED', message: 'The vault is locked.', hint: 'unlock it' })
  await expect(fails([], { lines: true })).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  await expect(ownProcess(program('process.kill(process.pid, "SIGKILL")'), process.env)([])).rejects.toMatchObject({ code: 'CELL_FAILED' })
  await expect(ownProcess(['/nowhere/paddock'], process.env)([], { input: 'x' })).rejects.toMatchObject({ code: 'CELL_FAILED' })
})

test('output that is cut off for its size, or is not JSON, is an error only of that command', async () => {
  const cut = ownProcess(program("process.stdout.write(JSON.stringify('x'.repeat(300 * 1024 * 1024)))"), process.env)
  await expect(cut([])).rejects.toMatchObject({ code: 'CELL_FAILED', message: 'The answer of the command is too large, or not JSON.' })
  const text = ownProcess(program("console.log('{')"), process.env)
  await expect(text([])).rejects.toMatchObject({ code: 'CELL_FAILED' })
  await expect(text([], { lines: true })).rejects.toMatchObject({ code: 'CELL_FAILED' })
})

test('of one caller three run at once, others wait, and too many are refused', async () => {
  const wait = ownProcess(program("process.stdin.on('end', () => console.log('1')).resume()"), process.env)
  const all = await Promise.allSettled(Array.from({ length: 70 }, () => wait([])))
  expect(all.filter((each) => each.status === 'fulfilled')).toHaveLength(67)
  expect(all.filter((each) => each.status === 'rejected')).toMatchObject(Array(3).fill({ reason: { code: 'BUSY' } }))
  expect(await wait([])).toBe(1)
})
