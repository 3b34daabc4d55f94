import * as z from 'zod'
import { mostCharacters, mostEvidence } from './trifecta-rating.ts'

const evidence = z.array(z.string().max(mostCharacters)).max(mostEvidence).readonly()

/** The rating of a cell, see `TrifectaRating`. */
export const trifectaSchema = z
  .strictObject({
    all: z.boolean().describe('True if the cell has private data, text of others and a way out together.'),
    privateData: evidence.describe('What the cell can read of the user.'),
    untrusted: evidence.describe('Where the agent reads text that others wrote.'),
    wayOut: evidence.describe('Where the cell can send data.'),
  })
  .readonly()
  .describe('The parts of the lethal trifecta, each with its evidence. Long lists and texts are cut.')
