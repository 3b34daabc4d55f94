// Runs in the cell of a submission, before its tests: replaces its tests and the configuration of their runner by those of the fix.
// Its argument is a directory with restore.json, and with the files in files/. It works in the working directory.
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const [, , inputs] = process.argv
const { patterns, packages } = JSON.parse(readFileSync(path.join(inputs, 'restore.json'), 'utf8'))
const restored = patterns.map((each) => new RegExp(each))
const kindOf = (file) => lstatSync(file, { throwIfNoEntry: false })
const remove = (file) => rmSync(file, { recursive: true, force: true })

function removeBelow(directory) {
  for (const entry of readdirSync(directory || '.', { withFileTypes: true })) {
    const file = path.join(directory, entry.name)
    if (file === '.git') continue
    if (entry.isDirectory()) removeBelow(file)
    else if (restored.some((each) => each.test(file))) remove(file)
  }
}

function put(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    const there = kindOf(target)
    if (entry.isDirectory()) {
      if (there !== undefined && !there.isDirectory()) remove(target)
      mkdirSync(target, { recursive: true })
      put(source, target)
    } else {
      remove(target)
      copyFileSync(source, target)
      chmodSync(target, lstatSync(source).mode & 0o777)
    }
  }
}

for (const each of packages) remove(each)
removeBelow('')
put(path.join(inputs, 'files'), '.')
for (const each of packages) {
  // A directory of links, because programs write their caches into it.
  mkdirSync(each)
  for (const name of readdirSync(`/contest/raw/${each}`)) symlinkSync(`/contest/raw/${each}/${name}`, `${each}/${name}`)
}
