import { readFileSync } from 'node:fs'
import { chmod, cp } from 'node:fs/promises'
import path from 'node:path'
import { maskAt } from '../../cell/plan/masks.ts'
import type { MaskWish } from '../../cell/plan/spec.ts'
import { broken, type Finding, type Guarantee, held } from '../guarantee.ts'
import type { InsideScript } from '../probe/inside.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

const files = ['.env', 'sub/deep/key.pem', 'vault/one', 'vault/deep/two', '.vscode/settings.json']
const masks = ['.env', 'sub/deep/key.pem', 'vault', '.vscode/settings.json']

interface Places {
  readonly project: string
  readonly other: string
  readonly secret: string
}

/** Tries to read masked files and to remove the masks. Returns where the secret was seen. */
const hunt: InsideScript<Places, { seen: string[]; tried: Record<string, string>; control: string }> = (
  { fs, path, attempt, sh },
  { project, other, secret },
) => {
  const seen: string[] = []
  const look = (file: string): void => {
    try {
      if (fs.readFileSync(file).includes(secret)) seen.push(file)
    } catch {
      // An unreadable file reveals nothing.
    }
  }
  const lookAll = (): void => {
    for (const root of [project, other, '/tmp'])
      for (const each of fs.readdirSync(root, { recursive: true })) look(path.join(root, String(each)))
    for (const each of ['.env', 'sub/deep/key.pem', 'vault/one', 'vault/deep/two', '.vscode/settings.json'])
      for (const way of ['/proc/self/cwd', `/proc/self/root${project}`, `/proc/1/root${project}`, `${project}/sub/..`, other])
        look(`${way}/${each}`)
  }
  lookAll()
  const tried: Record<string, string> = {}
  for (const each of ['.env', 'sub/deep/key.pem', '.vscode/settings.json']) {
    tried[`write ${each}`] = attempt(() => fs.writeFileSync(each, 'x'))
    tried[`unlink ${each}`] = attempt(() => fs.unlinkSync(each))
    tried[`rename ${each}`] = attempt(() => fs.renameSync(each, `moved-${path.basename(each)}`))
    tried[`link ${each}`] = attempt(() => fs.linkSync(each, `linked-${path.basename(each)}`))
  }
  tried['rename vault'] = attempt(() => fs.renameSync('vault', 'moved-vault'))
  tried['write into vault'] = attempt(() => fs.writeFileSync('vault/new', 'x'))
  tried['rename sub'] = attempt(() => fs.renameSync('sub', 'moved-sub'))
  tried['rename sub/deep'] = attempt(() => fs.renameSync('sub/deep', 'moved-deep'))
  for (const each of ['.env', 'vault', 'sub/deep/key.pem']) {
    tried[`umount ${each}`] = sh(`umount -l ${each} || umount ${each}`)?.code === 0 ? 'ok' : 'EPERM'
    tried[`remount ${each}`] = sh(`mount -o remount,rw,bind ${each}`)?.code === 0 ? 'ok' : 'EPERM'
  }
  sh('rm -rf sub vault .env; mkdir -p /tmp/copied; cp -r . /tmp/copied')
  lookAll()
  return { seen, tried, control: fs.readFileSync('shown', 'utf8') }
}

export const maskedFilesEmpty: Guarantee = {
  id: 'masked-files-empty',
  chapter: 'files',
  claim: 'What you mask (--mask) appears empty in the cell by every path that the cell has to it, and is afterwards as it was.',
  mechanism:
    'An empty read-only file or directory is mounted over it, wherever a mount of the cell shows it; the directories above are mount points, so that none is renamed away with it. Before the agent starts, each of these mounts is looked for.',
  kind: 'structural',
  why: 'A path that crosses a mount point leads to what is mounted there, and a cell can neither take a mount away nor move its mount point (rename(2), EBUSY).',
  fails: [
    'The same bytes under another name: a hard link, a second copy, a commit in .git, a stash, an editor’s backup.',
    'A file that is created there after the start of the cell is not masked.',
    'Git in the cell takes a tracked file that is masked for emptied; what an agent commits of it is empty.',
    'Another cell of the same project without the mask.',
  ],
  probe: async (bench) => {
    const secret = bench.secret()
    const project = await bench.project({ ...Object.fromEntries(files.map((each) => [each, `key=${secret}\n`])), shown: 'seen' })
    const copy = await bench.directory()
    await cp(project, copy, { recursive: true })
    await chmod(copy, 0o755)
    const other = '/mnt/other'
    const places = { project, other, secret }
    const mounts = [{ source: project, target: other, access: 'ro' as const }]
    const direct = await bench.inside(hunt, places, { project, masks: masksIn(project), mounts })
    const copied = await bench.inside(hunt, places, { project, projectCopy: copy, masks: [...masksIn(project), ...masksIn(copy)], mounts })
    for (const [root, { result }] of [
      [project, direct],
      [copy, copied],
    ] as const) {
      const finding = judge(root, secret, result)
      if (finding !== null) return finding
    }
    const tried = direct.result.tried
    return held(
      `four masks, looked for by five ways to each path and two mounts, in a project and in a copy: empty; ${Object.keys(tried).length} ways to get them out of the way: ${countOutcomes(tried)}; what is below is as it was`,
    )
  },
}

function masksIn(root: string): readonly MaskWish[] {
  return masks.flatMap((each) => {
    const found = maskAt(path.join(root, each), 'the probe')
    return found === null ? [] : [{ source: found.source, kind: found.kind }]
  })
}

function judge(root: string, secret: string, result: Awaited<ReturnType<typeof hunt>>): Finding | null {
  if (result.seen.length > 0) return broken(`the cell read what is masked: ${result.seen.slice(0, 5).join(', ')}`)
  if (result.control !== 'seen') return broken('the cell did not see the project, so nothing was shown')
  const changed = files.filter((each) => readIfThere(path.join(root, each)) !== `key=${secret}\n`)
  if (changed.length > 0) return broken(`masked files are not as they were: ${changed.join(', ')}`)
  return unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV', 'EPERM', 'EACCES'])
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
