import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

export const configuredPathsKept: Guarantee = {
  id: 'later-where-git-is-sent',
  chapter: 'later',
  claim:
    'If configuration sends git into the project (core.hooksPath, include.path, nested includes), a cell can change and create nothing at those paths.',
  mechanism:
    'Before the start, the host reads the configuration of every repository, the user and the machine as git does, follows includes, and protects these paths like hooks and config.',
  kind: 'structural',
  why: 'Git would run the hooks and obey the files wherever they are, so they get the same read-only mounts.',
  fails: [
    'If directories on the way are missing, the first of them is an inert entry, so a cell cannot create it for another purpose either.',
    "Other settings that name programs in the project (a filter, a merge driver, an alias) run the project's own code.",
  ],
  probe: async (bench) => {
    const project = await bench.project({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/.keep': '',
      '.git/refs/.keep': '',
      '.git/config':
        '[core]\n\thooksPath = "team"/hooks # ours\n\thooksPath = not/yet/there ; nor this\n[include]\n\tpath = ../team/one\n[includeIf "onbranch:x"]\n\tpath = ../team/missing\n',
      'nested/.git/HEAD': 'ref: refs/heads/main\n',
      'nested/.git/objects/.keep': '',
      'nested/.git/refs/.keep': '',
      'nested/.git/config': '[core]\n\thooksPath = ./hooks\n',
      'team/hooks/pre-commit': 'as it was',
      'team/one': '[include]\n\tpath = two\n',
      'team/two': '[user]\n',
      'team/ordinary': '',
    })
    const watched = (): ReadonlyMap<string, string> =>
      new Map([...snapshot(project)].filter(([each]) => /^(team\/(hooks|one|two|missing)|not\/|nested\/hooks)/.test(each)))
    const before = watched()
    const { result } = await bench.inside(
      ({ fs, attempt }) => ({
        tried: {
          'change a hook': attempt(() => fs.writeFileSync('team/hooks/pre-commit', 'bad')),
          'make a hook': attempt(() => fs.writeFileSync('team/hooks/post-commit', 'bad')),
          'make a hook in a directory that is not there': attempt(() => {
            fs.mkdirSync('not/yet')
            fs.mkdirSync('not/yet/there')
          }),
          'make a hook of a nested repository': attempt(() => {
            fs.mkdirSync('nested/hooks/more')
            fs.writeFileSync('nested/hooks/pre-commit', 'bad')
          }),
          'move the hooks away': attempt(() => fs.renameSync('team/hooks', 'moved')),
          'move what holds them away': attempt(() => fs.renameSync('team', 'moved')),
          'change what is included': attempt(() => fs.writeFileSync('team/one', 'bad')),
          'change what that includes': attempt(() => fs.writeFileSync('team/two', 'bad')),
          'make what is included': attempt(() => fs.writeFileSync('team/missing', 'bad')),
          'replace what is included': attempt(() => {
            fs.writeFileSync('mine', 'bad')
            fs.renameSync('mine', 'team/one')
          }),
        },
        control: attempt(() => fs.writeFileSync('team/ordinary', 'changed')),
      }),
      null,
      { project },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
    if (result.control !== 'ok') return broken(`an ordinary file next to it could not be written either: ${result.control}`)
    const finding = unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV'])
    return (
      finding ??
      held(
        `hooks in existing and missing directories of the project and in a nested repository, and included files, nested and missing: ${countOutcomes(result.tried)}`,
      )
    )
  },
}
