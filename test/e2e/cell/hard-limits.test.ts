import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('7: under a hard limit of the shell, as %s', (who) => {
  test.each(['prlimit --fsize=1073741824:1073741824', 'prlimit --nproc=1000:1000', 'prlimit --data=3000000000:3000000000'])(
    '%s: a cell runs with the lower default',
    async (shell) => {
      using stage = makeStage(who)
      const ran = await paddock(stage, ['run', '--', 'echo', 'ran'], { shell: `${shell} --` })
      expect(ran).toMatchObject({ code: 0, stdout: 'ran\n' })
    },
  )

  test.each([
    [
      'prlimit --fsize=1073741824:1073741824',
      '--file-size',
      '2GiB',
      'The fileSize limit of 2.0 GiB cannot be set: the hard limit here is 1.0 GiB.',
    ],
    ['prlimit --nproc=1000:1000', '--pids', '2000', 'The pids limit of 2000 cannot be set: the hard limit here is 1000.'],
  ])('%s: %s %s is refused', async (shell, option, value, message) => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', option, value, '--', 'echo', 'ran'], { shell: `${shell} --` })
    expect(ran).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining(message) })
  })
})
