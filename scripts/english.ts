// Prints the habits in the texts that should be dropped: node scripts/english.ts [docs|src|test|web] [part of a path]
import { faults, namesOfTests, proseOfDocuments, proseOfSources } from '../test/docs/english.ts'

const [where = 'docs', only = ''] = process.argv.slice(2)
const prose =
  where === 'docs' ? proseOfDocuments() : where === 'test' ? namesOfTests() : proseOfSources([`${where}/**/*.ts`, `${where}/**/*.tsx`])
for (const each of faults(prose.filter(({ file }) => file.includes(only)))) process.stdout.write(`${each}\n`)
