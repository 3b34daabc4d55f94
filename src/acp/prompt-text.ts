import type { ContentBlock } from '@agentclientprotocol/sdk'
import { PaddockError } from '../base/errors.ts'

/** Returns a prompt as text for an agent CLI. The text names the files that the editor attached. */
export function promptText(blocks: readonly ContentBlock[]): string {
  return blocks.map(blockText).join('')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return nameOf(block.uri)
    case 'resource':
      if ('text' in block.resource) return `\n<file name="${nameOf(block.resource.uri)}">\n${block.resource.text}\n</file>\n`
  }
  throw new PaddockError('BAD_INPUT', `A prompt cannot have a part of the type ${block.type}.`, { hint: 'Send text, or files as text' })
}

/** Returns the path of a file URI. Other URIs are returned unchanged. */
function nameOf(uri: string): string {
  return uri.startsWith('file://') ? decodeURIComponent(new URL(uri).pathname) : uri
}
