import { existsSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

/** Paths at which services of a machine and of a login listen. */
const services = [
  ...['/var/run/docker.sock', '/run/docker.sock', '/run/podman/podman.sock', '/run/containerd/containerd.sock', '/run/crio/crio.sock'],
  ...['/run/dbus/system_bus_socket', '/run/systemd/private', '/run/systemd/journal/socket', '/run/systemd/notify', '/dev/log'],
  ...['/run/udev/control', '/run/snapd.socket', '/run/lxd.socket', '/run/libvirt/libvirt-sock', '/run/acpid.socket'],
  ...['/tmp/.X11-unix/X0', '/run/postgresql/.s.PGSQL.5432', '/var/run/mysqld/mysqld.sock', '/run/pcscd/pcscd.comm', '/run/nscd/socket'],
]
const ofLogin = [
  'bus',
  'docker.sock',
  'podman/podman.sock',
  'keyring/ssh',
  'keyring/control',
  'gnupg/S.gpg-agent',
  'gnupg/S.gpg-agent.ssh',
  'wayland-0',
  'pipewire-0',
]

export const hostSocketsAbsent: Guarantee = {
  id: 'host-sockets-absent',
  chapter: 'processes',
  claim: 'No service of the host can be reached through a Unix socket file: docker, D-Bus, ssh-agent, gpg-agent, X11, Wayland, databases.',
  mechanism: 'Their directories (/run, /tmp, /var, the home) are not mounted. The cell has empty ones instead.',
  kind: 'structural',
  why: 'A socket file is found by its path, and that path does not exist. Network rules do not apply to socket files, so only this prevents access.',
  fails: [
    'A socket in a directory that you mount, even with --ro, or that every cell has (/usr, /opt).',
    'A socket that a program of yours opens in the project while the cell runs.',
  ],
  probe: async (bench) => {
    const directory = await bench.directory()
    const canary = path.join(directory, 's')
    // The size of sun_path (unix(7)), without the final zero byte.
    if (canary.length > 107) return unenforceable(`the path of the scratch directory is too long for a socket: ${directory}`)
    using server = await bench.serve({ path: canary })
    const agent = bench.machine.env['SSH_AUTH_SOCK']
    const runtime = [bench.machine.env['XDG_RUNTIME_DIR'], `/run/user/${bench.machine.user.uid}`].filter((each) => each !== undefined)
    const sockets = [
      ...new Set([
        canary,
        ...(agent === undefined ? [] : [agent]),
        ...services,
        ...runtime.flatMap((each) => ofLogin.map((name) => path.join(each, name))),
      ]),
    ]
    const project = await bench.project()
    const { result } = await bench.inside(
      async ({ net, connect, fs }, given) => {
        const tried: Record<string, string> = {}
        for (const each of given.sockets) tried[each] = await connect({ path: each }, 1000)
        tried['through ..'] = await connect({ path: `../${given.beside}/s` }, 1000)
        const own = net.createServer((socket) => socket.end())
        await new Promise<void>((resolve) => own.listen('/tmp/own', resolve))
        const control = await connect({ path: '/tmp/own' }, 1000)
        own.close()
        return { tried, control, run: fs.readdirSync('/run') }
      },
      { sockets, beside: path.basename(directory) },
      { project },
    )
    if (result.control !== 'connected') return broken(`the cell's own Unix socket could not be reached either: ${result.control}`)
    if (server.connections() > 0) return broken('a server of the host was reached through its socket next to the project')
    const standing = sockets.filter((each) => existsSync(each)).length
    const finding = unlessAll(result.tried, ['ENOENT'])
    return (
      finding ??
      held(
        `${sockets.length} socket paths, of which ${standing} exist on this host: ${countOutcomes(result.tried)}; one of the cell's own works`,
      )
    )
  },
}
