import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const here = path.dirname(fileURLToPath(import.meta.url))
const document = path.join(here, '../../docs/reference/openapi.json')
const run = promisify(execFile)

/** Runs a linter without a network. Returns its exit code and output. */
async function lint(program: string, ...args: string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const file = path.join(here, 'node_modules/.bin', program)
  const command = ['--user', '--map-root-user', '--net', process.execPath, file, 'lint', document, ...args]
  const env = { PATH: process.env['PATH'] ?? '', HOME: here, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    const { stdout, stderr } = await run('unshare', command, { env, cwd: here })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

test('redocly has nothing to say about the OpenAPI document', async () => {
  const { code, output } = await lint('redocly', '--config', path.join(here, 'redocly.yaml'), '--format', 'stylish')
  expect(output).toContain('Your API description is valid.')
  expect([code, output]).toEqual([0, expect.not.stringContaining('warning')])
})

test('spectral has nothing to say about the OpenAPI document', async () => {
  const { code, output } = await lint('spectral', '--ruleset', path.join(here, 'spectral.yaml'), '--fail-severity', 'hint')
  expect([code, output]).toEqual([0, expect.stringContaining("No results with a severity of 'hint' or higher found!")])
})
