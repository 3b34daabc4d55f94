import { chmodSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { both, inCell, makeStage, paddock } from '../../support/cli.ts'

test.each(both)('apply limits the modes that an agent chose to what the umask permits, as %s', async (who) => {
  using stage = makeStage(who)
  const bases = { open: 0o666, shared: 0o775, widened: 0o644, marked: 0o755, made: 0o644 }
  for (const [name, mode] of Object.entries(bases)) {
    stage.put(name, `${name}\n`)
    chmodSync(path.join(stage.project, name), mode)
  }
  stage.own()
  const script = [
    'umask 0; echo more >> open; echo more >> shared; chmod 666 widened; echo more >> marked; chmod 777 made; echo more >> made',
    'echo new > new; echo tool > tool; chmod 777 tool; mkdir deep; chmod 777 deep; echo in > deep/in; chmod 600 deep/in',
  ].join('; ')
  expect((await inCell(stage, script, { args: ['--copy'] })).code).toBe(0)
  const copies = path.join(stage.root, 'paddock/state/copies')
  const id = readdirSync(copies).find((each) => !each.includes('.')) ?? ''
  const tree = path.join(copies, id, 'tree')
  // Cells do not permit these bits, but nothing in the copy is trusted.
  chmodSync(path.join(tree, 'marked'), 0o6755)
  chmodSync(path.join(tree, 'tool'), 0o4777)
  const underUmask = { shell: 'umask 027;' }
  const { stdout: review } = await paddock(stage, ['review'], underUmask)
  expect(review.split('\n').filter((each) => each.includes('umask'))).toEqual([
    'note  your umask 0027 limits the modes of made (0777 → 0750), marked (6755 → 0750), new (0666 → 0640), tool (4777 → 0750), widened (0666 → 0640)',
  ])
  expect((await paddock(stage, ['apply'], underUmask)).code).toBe(0)
  const modes = ['open', 'shared', 'widened', 'marked', 'made', 'new', 'tool', 'deep', 'deep/in'].map((name) => [
    name,
    (statSync(path.join(stage.project, name)).mode & 0o7777).toString(8),
  ])
  expect(Object.fromEntries(modes)).toEqual({
    ...{ open: '666', shared: '775', widened: '640', marked: '750', made: '750' },
    ...{ new: '640', tool: '750', deep: '750', 'deep/in': '600' },
  })
})

test('a mode that the umask limits to what it was is not a change', async () => {
  using stage = makeStage('user')
  stage.put('plain', 'plain\n')
  chmodSync(path.join(stage.project, 'plain'), 0o644)
  stage.own()
  await inCell(stage, 'chmod 666 plain', { args: ['--copy'], shell: 'umask 022;' })
  expect(readdirSync(path.join(stage.root, 'paddock/state/copies')).filter((each) => !each.includes('.'))).toEqual([])
})
