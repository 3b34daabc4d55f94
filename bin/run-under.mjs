import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'

/** Passed on through the channel, which keeps a group's signal, sent to both processes, from counting twice. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP']
const passedOn = ['SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGWINCH', 'SIGCONT']

/**
 * Runs this command under another Node, as if that had been started instead: with the same arguments, environment and inherited
 * descriptors. Signals are passed on. The other process ends when this one does, whatever ended it, and this one ends as the other did.
 */
export function runUnder(node) {
  const inherited = inheritedDescriptors()
  const channel = Math.max(2, ...inherited) + 1
  const stdio = Array.from({ length: channel }, (_, fd) => (fd < 3 || inherited.includes(fd) ? 'inherit' : 'ignore'))
  const env = { ...process.env, PADDOCK_LAUNCHER: String(channel) }
  const refuse = (error) => {
    const hint =
      error.code === 'ENOENT' || error.code === 'EACCES'
        ? 'Run "npm install" in the checkout again'
        : 'Raise the limit of open files: ulimit -n 4096'
    process.stderr.write(`paddock: ${node} cannot be started (${error.message}).\n  hint: ${hint}\n`)
    process.exit(125)
  }
  let child
  try {
    child = spawn(node, process.argv.slice(1), { stdio: [...stdio, 'pipe'], env })
  } catch (error) {
    refuse(error)
  }
  // Absent if the other process could not be started. Its end may be closed before its exit is reported.
  child.stdio?.[channel].on('error', () => undefined)
  for (const signal of ending) process.on(signal, () => child.stdio[channel].write(`${signal}\n`))
  for (const signal of passedOn) process.on(signal, () => child.kill(signal))
  process.on('SIGTSTP', function stop() {
    child.kill('SIGTSTP')
    // By its default action: in a process group without a shell that could continue it, the kernel stops neither process (setpgid(2)).
    process.off('SIGTSTP', stop)
    process.kill(process.pid, 'SIGTSTP')
    process.on('SIGTSTP', stop)
  })
  child.once('error', refuse)
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    // Not by this signal: whoever started this process had it ignored.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
  })
}

/**
 * Descriptors above standard error that were open before this process started. Node marks them as closed at an exec, as its own are
 * (O_CLOEXEC), so its own are told by what they are: no file at all, or both ends of one pipe. Empty on systems without proc(5).
 */
function inheritedDescriptors() {
  const open = openDescriptors().filter(({ fd, to }) => fd > 2 && !to.startsWith('anon_inode:'))
  const hasBothEnds = (pipe) => new Set(open.filter((each) => each.to === pipe).map((each) => each.access)).size > 1
  return open.filter(({ to }) => !(to.startsWith('pipe:') && hasBothEnds(to))).map((each) => each.fd)
}

/** With what each leads to, and whether it is read or written (the access mode of open(2)). */
function openDescriptors() {
  if (!existsSync('/proc/self/fdinfo')) return []
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? '0'
      return [{ fd: Number(name), to: readlinkSync(`/proc/self/fd/${name}`), access: Number.parseInt(flags, 8) & 3 }]
    } catch {
      // The descriptor of this look, which is closed again.
      return []
    }
  })
}
