import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { becoming, command, isRoot, type Ran, type Stage } from './cli.ts'

/**
 * A place on this machine where cells cannot be built, or not every one: shell text that root runs in a mount namespace of its own, before
 * it becomes the user of the stage. It ends without starting the command.
 */
export interface BadPlace {
  readonly prepare?: string
  /** The start of the command line, as root: programs that start the rest. */
  readonly within?: readonly string[]
  /** The same, as the user of the stage. */
  readonly inside?: readonly string[]
}

/** Runs Paddock in such a place. Needs root. `input`: what is typed. */
export function inBadPlace(
  stage: Stage,
  { prepare = ':', within = [], inside = [] }: BadPlace,
  args: readonly string[],
  input = '',
): Promise<Ran> {
  if (!isRoot) throw new Error('needs root')
  const as = becoming(stage.who)
  const words = command(stage.who, args).slice(as.length)
  const line = ['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-e', '-c', `${prepare}\ncd "$0"; exec "$@"`, stage.project]
  const [program = '', ...rest] = [...line, ...within, ...as, ...inside, ...words]
  return new Promise((resolve) => {
    const child = execFile(program, rest, { cwd: '/', env: stage.env, encoding: 'utf8' }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr })
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/** Shell text that removes all mounts of proc but the one at /proc: if one of them is not masked, the kernel permits another (mount_namespaces(7)). */
const oneProc = 'for p in $(findmnt -rnt proc -o TARGET | grep -vx /proc); do umount -l "$p"; done'

/** Something is mounted over a part of /proc, as in containers. */
export const maskedProc: BadPlace = { prepare: `${oneProc}\nmount -t tmpfs none /proc/irq` }

/** The root is a directory of the stage with all directories of the machine, entered by chroot(2). */
export function chroot(stage: Stage): BadPlace {
  const tree = path.join(stage.root, 'tree')
  return {
    prepare: `mkdir ${tree}; mount --rbind / ${tree}`,
    within: ['/usr/sbin/chroot', tree, 'sh', '-c', 'cd "$0"; exec "$@"', stage.project],
  }
}

/** A user namespace that permits no more user namespaces. Each of them counts in all around it. */
export const noUserNamespaces: BadPlace = {
  inside: [
    ...['unshare', '--user', '--map-root-user', '--', 'sh', '-c', 'echo 1 > /proc/sys/user/max_user_namespaces; exec "$@"', 'sh'],
    ...['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  ],
}

/** The same for root, which is mapped. */
export const noUserNamespacesOfRoot: BadPlace = {
  within: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', 'sh'],
}

/** A system call filter refuses new namespaces and mounts with EPERM, and clone3 with ENOSYS, as those of containers do. x64 only. */
export function filtered(stage: Stage): BadPlace {
  const [load, equal, any, answer] = [0x20, 0x15, 0x45, 0x06]
  const [eperm, enosys, allow] = [0x5_0001, 0x5_0026, 0x7fff_0000]
  const [unshare, mount, clone3, clone, newNamespaces] = [272, 165, 435, 56, 0x7e02_0000]
  const program = [
    [load, 0, 0, 0],
    [equal, 0, 1, unshare],
    [answer, 0, 0, eperm],
    [equal, 0, 1, mount],
    [answer, 0, 0, eperm],
    [equal, 0, 1, clone3],
    [answer, 0, 0, enosys],
    [equal, 0, 3, clone],
    [load, 0, 0, 16],
    [any, 0, 1, newNamespaces],
    [answer, 0, 0, eperm],
    [answer, 0, 0, allow],
  ] as const
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, yes, no, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  })
  const file = path.join(stage.root, 'filter')
  writeFileSync(file, bytes)
  const bwrap = 'exec bwrap --dev-bind / / --cap-add ALL --seccomp 9 -- "$@" 9< "$0"'
  return { within: ['sh', '-c', bwrap, file, 'sh', '-c', 'cd "$0"; exec "$@"', stage.project] }
}

/** A directory of the stage with other options of mount(8), such as `ro` or `noexec`. */
export function remounted(directory: string, options: string): BadPlace {
  return { prepare: `mount --bind ${directory} ${directory}; mount -o remount,bind,${options} ${directory}` }
}

/** /tmp is mounted with noexec, but for the directories in it that Paddock and Node are in. */
export function noexecTmp({ who }: Stage): BadPlace {
  const own = new Set(command(who, []).flatMap((each) => /^\/tmp\/[^/]+(?=\/)/.exec(each) ?? []))
  const kept = [...own].map((each) => `mount --bind ${each} ${each}`)
  return { prepare: [...kept, 'mount --rbind /tmp /tmp', 'mount -o remount,bind,noexec /tmp'].join('\n') }
}

/** A directory is an overlay of an overlay, of which the kernel makes no further one (FILESYSTEM_MAX_STACK_DEPTH). */
export function stacked(stage: Stage, directory: string): BadPlace {
  const over = (n: number, lower: string): string => {
    const at = path.join(stage.root, `layer-${n}`)
    return `mkdir -p ${at}\nmount -t tmpfs none ${at}\nmkdir ${at}/up ${at}/work\nchmod --reference=${directory} ${at}/up\nchown --reference=${directory} ${at}/up\nmount -t overlay -o lowerdir=${lower},upperdir=${at}/up,workdir=${at}/work none ${directory}`
  }
  return { prepare: [over(1, directory), over(2, directory)].join('\n') }
}

/** The root has no directories of these names. */
export function withoutAtRoot(stage: Stage, names: readonly string[]): BadPlace {
  const tree = path.join(stage.root, 'tree')
  const kept = `case "$each" in ${names.map((each) => `/${each}`).join('|')}) continue;; esac`
  return {
    prepare: [
      `mkdir ${tree}\nmount -t tmpfs -o mode=0755 none ${tree}\nfor each in /*; do ${kept}`,
      `if [ -L "$each" ]; then cp -a "$each" ${tree}; elif [ -d "$each" ]; then mkdir "${tree}$each"; mount --rbind "$each" "${tree}$each"; fi; done`,
      `mkdir -p ${tree}/old\ncd ${tree}\n/usr/sbin/pivot_root . old\numount -l /old\nrmdir /old`,
    ].join('\n'),
  }
}

const fuseServer = fileURLToPath(new URL('./fuse-server.pl', import.meta.url))

/** What a directory has is served by a program (FUSE), so that it cannot have idmapped mounts, and its file system is not that of a disk. */
export function served(directory: string): BadPlace {
  const source = `${directory}.served`
  const isMounted = `mountpoint -q ${directory}`
  return { prepare: `cp -a ${directory} ${source}\nperl ${fuseServer} ${source} ${directory} &\nuntil ${isMounted}; do sleep 0.05; done` }
}

export const withoutTun: BadPlace = { prepare: 'mount -t tmpfs none /dev/net' }
