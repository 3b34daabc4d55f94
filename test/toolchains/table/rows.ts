import { builders } from './builders.ts'
import { c } from './c.ts'
import { checkers } from './checkers.ts'
import { compiled } from './compiled.ts'
import { data } from './data.ts'
import { documents } from './documents.ts'
import { functional } from './functional.ts'
import { javascript } from './javascript.ts'
import { jvm } from './jvm.ts'
import { packing } from './packing.ts'
import type { Row } from './row.ts'
import { scaffolders } from './scaffolders.ts'
import { scripts } from './scripts.ts'
import { services } from './services.ts'
import { watchers } from './watchers.ts'

export const families: Readonly<Record<string, readonly Row[]>> = {
  'C and its tools': c,
  builders,
  'other compilers': compiled,
  'programs of the JVM': jvm,
  'functional languages': functional,
  'scripting languages': scripts,
  JavaScript: javascript,
  services,
  watchers,
  checkers,
  'packing and git': packing,
  documents,
  data,
  scaffolders,
}
