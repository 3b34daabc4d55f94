import childProcess from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

/** A function of node:child_process that throws, before it starts anything, if the program is not an absolute path. */
function absolute<Start extends (...words: never) => unknown>(start: Start): Start {
  return new Proxy(start, {
    apply(target, self, words: unknown[]) {
      const [program] = words
      if (typeof program !== 'string' || !path.isAbsolute(program))
        throw new Error(`The program ${String(program)} was not found by hostProgram, so it is not started.`)
      return Reflect.apply(target, self, words as never)
    },
  })
}

// All programs of the host are started by these functions, because node:child_process searches for a name in PATH, where a project may
// have put a program. `hostProgram` finds their absolute paths. A test checks that no other file imports node:child_process.
export const spawn = absolute(childProcess.spawn)
export const spawnSync = absolute(childProcess.spawnSync)
export const execFile = absolute(childProcess.execFile)
/** Runs a program to its end and resolves with its output, like `execFile` behind `promisify`. */
export const run = absolute(promisify(childProcess.execFile))
