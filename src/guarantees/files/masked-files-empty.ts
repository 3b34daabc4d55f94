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

/** Tries to read masked files and to remove the masks. Returns the places in which the secret was seen. */
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
  claim: 'A path that you mask (--mask) is empty in the cell at every path that leads to it, and is unchanged afterwards.',
  mechanism:
    'An empty read-only file or directory is mounted over it wherever a mount of the cell shows it. The directories above it are mount points too, so they cannot be renamed to expose it. Paddock checks each of these mounts before the agent starts.',
  kind: 'structural',
  why: 'A path through a mount point leads to the mounted file. A cell can neither unmount it nor move its mount point (rename(2), EBUSY).',
  fails: [
    "The same bytes under another name: a hard link, a second copy, a commit in .git, a stash, an editor's backup.",
    'A file that is created at that path after the cell starts is not masked.',
    'Git in the cell treats a masked tracked file as emptied, and an agent that commits it commits an empty file.',
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
      `four masks, checked in five ways for each path and two mounts, in a project and in a copy: empty; ${Object.keys(tried).length} ways to remove them: ${countOutcomes(tried)}; the masked files are unchanged`,
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
  if (result.seen.length > 0) return broken(`the cell read masked files: ${result.seen.slice(0, 5).join(', ')}`)
  if (result.control !== 'seen') return broken('the cell did not see the project, so the probe is inconclusive')
  const changed = files.filter((each) => readIfThere(path.join(root, each)) !== `key=${secret}\n`)
  if (changed.length > 0) return broken(`masked files were changed: ${changed.join(', ')}`)
  return unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV', 'EPERM', 'EACCES'])
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
