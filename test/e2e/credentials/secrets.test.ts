import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

// In pieces, so that no scanner reports this file.
const token = `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`
const key = 'sk-ant-own-key-that-is-in-play-0123456789'

describe.each(everyone)('secrets in files, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    stage.put('.env', `DB_PASSWORD=hunter2-hunter2\nAPI_TOKEN=${token}\nexport JWT_SECRET="very-secret-value"\nMODE=production\n`)
    stage.put('src/app', 'app\n')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  describe('before a run', () => {
    const allow = ['--allow', 'models.example']

    it('says what the cell would see and where it could send it, and how to hide it', async () => {
      const ran = await paddock(stage, ['run', ...allow, '--', 'true'])
      expect(ran.stderr).toContain('.env contains what looks like 3 secrets, and this cell can reach models.example\n')
      expect(ran.stderr).toContain('--mask .env')
      expect(ran.stderr).toContain('--private')
      expect(ran.stderr).not.toMatch(/hunter2|very-secret|wWPw5k/)
    })

    it('prints nothing if there is no egress, if nothing is found, or if the warning is off', async () => {
      for (const options of [[], ['--egress', 'off'], ['--private'], [...allow, '--mask', '.env'], [...allow, '--quiet']]) {
        const ran = await paddock(stage, ['run', ...options, '--', 'true'])
        expect([options, ran.code, ran.stderr.includes('looks like')]).toEqual([options, 0, false])
      }
    })

    it('looks at what the cell sees: the copy, other mounts, from the working directory', async () => {
      stage.put(
        'src/key.pem',
        `-----BEGIN EC PRIVATE KEY-----\n${'MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVIOa'.repeat(2)}\n-----END EC PRIVATE KEY-----\n`,
      )
      const other = path.join(stage.root, 'other')
      mkdirSync(other)
      writeFileSync(path.join(other, '.npmrc'), `//registry.host.example/:_authToken=npm_${'aB3dE'.repeat(8).slice(0, 36)}\n`)
      stage.own()
      const ran = await paddock(stage, ['run', '--copy', ...allow, '--ro', other, '--', 'true'])
      expect(ran.stderr).toContain(`${other}/.npmrc contains what looks like`)
      expect(ran.stderr).toContain('src/key.pem contains what looks like a secret (private key)')
    })
  })

  describe('--private', () => {
    it('is egress off for a command, and takes back what the configuration allows', async () => {
      mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
      writeFileSync(
        path.join(stage.root, 'paddock/config/config.yaml'),
        'schemaVersion: 1\nrun:\n  egress: { policy: allowlist, allow: [wide.example], presets: [github] }\n',
      )
      stage.own()
      const ran = await paddock(stage, ['run', '--private', '--', 'true'])
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('egress off')])
    })

    it.each([
      ['--allow', 'a.example'],
      ['--ask', 'a.example'],
      ['--preset', 'github'],
      ['--egress', 'public'],
      ['--egress', 'open'],
    ])('refuses %s %s', async (...more) => {
      const ran = await paddock(stage, ['run', '--private', ...more, '--', 'true'])
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('what the agent itself needs, and nothing else')])
    })
  })

  describe('in a copy', () => {
    const leak = `mkdir d; echo "a = ${token}; rest of the line" > d/code; env | grep ANTHROPIC | base64 -w 20 > d/encoded; echo "$ANTHROPIC_API_KEY" | gzip > d/packed; echo fine > d/fine; echo "# more" >> .env`
    const work = (): Promise<unknown> =>
      inCell(stage, leak, { args: ['--copy', '--env', 'ANTHROPIC_API_KEY'], env: { ANTHROPIC_API_KEY: key } })

    it('are marked in a review, with the value hidden and its context shown', async () => {
      await work()
      const review = await paddock(stage, ['review'])
      expect(review.stdout).toMatch(/d\/code .* LOOKS LIKE A SECRET: line 1 \(github token, ghp_…\)/)
      expect(review.stdout).toContain('+a = [hidden: it looks like a secret]; rest of the line\n')
      expect(review.stdout).toMatch(/d\/encoded .* LOOKS LIKE A SECRET: .*ANTHROPIC_API_KEY, which the cell had/)
      expect(review.stdout).toMatch(/d\/packed .* LOOKS LIKE A SECRET: ANTHROPIC_API_KEY, which the cell had/)
      expect(review.stdout).toMatch(/^added {5}d\/fine · \+1 -0$/m)
      // A secret that is already in the project is not reported for the change.
      expect(review.stdout).toMatch(/^modified {2}\.env · \+1 -0 · RUNS LATER: shells and tools take variables from it$/m)
      expect(review.stderr).toContain('3 of them contain what looks like a secret')
      const json = await paddock(stage, ['review', '--json'])
      for (const each of [review.stdout, review.stderr, json.stdout]) {
        expect(each).not.toContain(key)
        expect(each).not.toContain(`a = ${token}`)
      }
      const changes = JSON.parse(json.stdout).changes as { path: string; secrets: unknown[] }[]
      expect(changes.filter((each) => each.secrets.length > 0).map((each) => each.path)).toEqual(['d/code', 'd/encoded', 'd/packed'])
    })

    it('are not applied, but by --allow-secrets', async () => {
      await work()
      for (const words of [['--run-later'], ['d/code'], ['d/encoded', '--run-later'], ['d']]) {
        const refused = await paddock(stage, ['apply', ...words])
        expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('contain what looks like a secret')])
        expect(refused.stderr).not.toContain('wWPw5k')
      }
      expect((await paddock(stage, ['apply', 'd/fine', '.env'])).stdout).toBe('wrote    .env\nwrote    d/fine\n')
      expect((await paddock(stage, ['apply', '--allow-secrets'])).code).toBe(0)
      expect(stage.read('d/code')).toContain(token)
    })
  })
})
