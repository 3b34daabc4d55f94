import { Work } from './report-work.ts'
import { makeSortable } from './sort.ts'
import { showWork } from './viewer.ts'

async function start(): Promise<void> {
  for (const table of document.querySelectorAll<HTMLTableElement>('table.sortable')) makeSortable(table)
  // These links only work next to the report's own file.
  if (location.protocol !== 'file:') for (const link of document.querySelectorAll('.kept a')) link.replaceWith(...link.childNodes)
  const place = document.getElementById('work')
  const work = place === null ? null : await Work.read()
  if (place !== null && work !== null) showWork(place, work)
}

void start()
