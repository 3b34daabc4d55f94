import type { PackedWork } from '../../seal/packed-work.ts'
import { html, type Markup, trusted } from './markup.ts'

/**
 * Returns the elements that contain the submissions of a page. Their type is not a script type, so no browser runs or fetches anything for
 * them.
 */
export function dataBlocks({ index, data }: PackedWork): Markup {
  return html`<script type="text/plain" id="work-index">${trusted(index)}</script>
<script type="text/plain" id="work-data">${trusted(data)}</script>
`
}
